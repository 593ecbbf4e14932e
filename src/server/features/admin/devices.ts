// Browsers in which an administrator has logged in before. They are known by a random token that the browser keeps; only its hash is stored.
import { randomBytes } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import { createInTurn } from '#server/core/in-turn.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'
import { adminDevices, adminUsers } from '#server/db/schema.ts'
import { isCalled } from '#server/features/admin/sessions.ts'
import type { Administrator } from '#server/http/guard.ts'

export interface Devices {
  /** Whether the account with this name has logged in with this token before. */
  isKnown(token: string, username: string): Promise<boolean>
  /** After a login. Answers the token that the browser is to keep. */
  remember(token: string | undefined, administrator: Administrator): Promise<string>
}

const wellFormed = /^[\w-]{43}$/
const unusedTooLong = sql`now() - interval '180 days'`
const hashOf = (token: string) => digestOf(token).toString('base64url')

export function createDevices({ orm }: Database): Devices {
  // Anybody can invent tokens, and signing uses the same database connections.
  const inTurn = createInTurn({ mostAtOnce: 2, mostWaiting: 200, patienceMs: 3_000 })

  return {
    async isKnown(token, username) {
      if (!wellFormed.test(token)) return false
      const found = await inTurn(() =>
        orm
          .select({ id: adminUsers.id })
          .from(adminDevices)
          .innerJoin(adminUsers, eq(adminUsers.id, adminDevices.adminUserId))
          .where(and(eq(adminDevices.tokenHash, hashOf(token)), isCalled(username), adminUsers.isActive)),
      )
      return found.length > 0
    },

    async remember(given, { id }) {
      const token = given !== undefined && wellFormed.test(given) ? given : randomBytes(32).toString('base64url')
      const lastUsedAt = sql`now()`
      await orm
        .insert(adminDevices)
        .values({ tokenHash: hashOf(token), adminUserId: id })
        .onConflictDoUpdate({ target: [adminDevices.adminUserId, adminDevices.tokenHash], set: { lastUsedAt } })
      await orm.delete(adminDevices).where(lt(adminDevices.lastUsedAt, unusedTooLong))
      return token
    },
  }
}
