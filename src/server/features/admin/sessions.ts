// Who is in the admin area: passwords checked, tokens given, kept as hashes, and ended.
import { hash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { passwordMatches, unmatchable } from '#server/core/passwords.ts'
import type { Database } from '#server/db/database.ts'
import { adminSessions, adminUsers } from '#server/db/schema.ts'
import type { Administrator, FindHolder } from '#server/http/guard.ts'

export interface OpenSession {
  token: string
  administrator: Administrator
}

export interface Sessions {
  /** A token for who knows the password; nothing for anybody else, after the same time. */
  open(username: string, password: string): Promise<OpenSession | undefined>
  holderOf: FindHolder
  close(token: string): Promise<void>
}

const digest = (token: string) => hash('sha256', token, 'base64url')

const idleTooLong = sql`now() - interval '30 minutes'`
const openTooLong = sql`now() - interval '8 hours'`
// Writing it down at every call would be a write for every read.
const seenLately = sql`now() - interval '1 minute'`

export function createSessions({ orm }: Database): Sessions {
  // What a stranger's password is compared with, so that the time tells nobody who exists.
  const nobodysPassword = unmatchable()

  return {
    async open(username, password) {
      const [user] = await orm
        .select()
        .from(adminUsers)
        .where(and(eq(adminUsers.username, username), adminUsers.isActive))
      const matches = await passwordMatches(password, user?.password ?? nobodysPassword)
      if (!user || !matches) return undefined
      const token = randomBytes(32).toString('base64url')
      await orm.insert(adminSessions).values({ tokenHash: digest(token), adminUserId: user.id })
      await orm.delete(adminSessions).where(lt(adminSessions.createdAt, openTooLong))
      return { token, administrator: { id: user.id, username } }
    },

    async holderOf(token, presence) {
      const tokenHash = digest(token)
      const [session] = await orm
        .select({
          id: adminUsers.id,
          username: adminUsers.username,
          stale: sql<boolean>`${adminSessions.lastSeenAt} < ${seenLately}`,
        })
        .from(adminSessions)
        .innerJoin(adminUsers, eq(adminUsers.id, adminSessions.adminUserId))
        .where(
          and(
            eq(adminSessions.tokenHash, tokenHash),
            adminUsers.isActive,
            gt(adminSessions.lastSeenAt, idleTooLong),
            gt(adminSessions.createdAt, openTooLong),
          ),
        )
      if (!session) return undefined
      const { stale, ...holder } = session
      if (stale && presence === 'present')
        await orm.update(adminSessions).set({ lastSeenAt: sql`now()` }).where(eq(adminSessions.tokenHash, tokenHash))
      return holder
    },

    async close(token) {
      await orm.delete(adminSessions).where(eq(adminSessions.tokenHash, digest(token)))
    },
  }
}
