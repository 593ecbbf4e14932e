// Browsers in which an administrator has logged in before, recognised by a random token. Only its hash is stored.
import { randomBytes } from 'node:crypto'
import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import type { Database } from '#server/db/database.ts'
import { adminDevices, adminUsers } from '#server/db/schema.ts'
import { hashOfDevice } from '#server/features/admin/device-tokens.ts'
import { usernameMatches } from '#server/features/admin/sessions.ts'
import type { Administrator } from '#server/http/guard.ts'

const tokenFormat = /^[\w-]{43}$/
const unusedCutoff = sql`now() - interval '180 days'`
const maxDevices = 20

export function createDevices({ orm }: Database) {
  // Clients can send invented tokens, and signing uses the same database connections.
  const limited = createConcurrencyLimit({ maxAtOnce: 2, maxWaiting: 200, maxWaitMs: 3_000 })

  return {
    /** Whether the account with this name has logged in with this token before. */
    async isKnown(token: string, username: string): Promise<boolean> {
      if (!tokenFormat.test(token)) return false
      const found = await limited(() =>
        orm
          .select({ id: adminUsers.id })
          .from(adminDevices)
          .innerJoin(adminUsers, eq(adminUsers.id, adminDevices.adminUserId))
          .where(and(eq(adminDevices.tokenHash, hashOfDevice(token)), usernameMatches(username), adminUsers.isActive)),
      )
      return found.length > 0
    },

    /**
     * Called after a login. `known` is a token that was known for this account. Any other is replaced: somebody else
     * may know it. Returns the token that the browser must store.
     */
    async remember(known: string | undefined, { id }: Administrator): Promise<string> {
      const token = known ?? randomBytes(32).toString('base64url')
      const lastUsedAt = sql`now()`
      await orm
        .insert(adminDevices)
        .values({ tokenHash: hashOfDevice(token), adminUserId: id })
        .onConflictDoUpdate({ target: [adminDevices.adminUserId, adminDevices.tokenHash], set: { lastUsedAt } })
      await orm.delete(adminDevices).where(lt(adminDevices.lastUsedAt, unusedCutoff))
      const isOwn = eq(adminDevices.adminUserId, id)
      const lastUsed = orm
        .select({ tokenHash: adminDevices.tokenHash })
        .from(adminDevices)
        .where(isOwn)
        .orderBy(desc(adminDevices.lastUsedAt))
        .limit(maxDevices)
      await orm.delete(adminDevices).where(and(isOwn, notInArray(adminDevices.tokenHash, lastUsed)))
      return token
    },
  }
}
