// Who is in the admin area: passwords checked, tokens given, kept as hashes, and ended.
import { hash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { createInTurn } from '#server/core/in-turn.ts'
import { hashPassword, passwordMatches, unmatchable } from '#server/core/passwords.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { adminSessions, adminUsers } from '#server/db/schema.ts'
import type { Administrator, FindHolder } from '#server/http/guard.ts'

export interface OpenSession {
  token: string
  administrator: Administrator
}

export interface Sessions {
  /** A token for who knows the password; nothing for anybody else, after the same time. */
  open(username: string, password: string, recordEntry: RecordEntry): Promise<OpenSession | undefined>
  holderOf: FindHolder
  close(token: string, audit: Audit): Promise<void>
  closeOthers(administrator: Administrator, token: string, audit: Audit): Promise<void>
  /** Ends every other session too. Nothing when the current password is another one. */
  changePassword(change: PasswordChange, audit: Audit): Promise<true | undefined>
}

/** Writes into the audit log, in the transaction that opens the session, who it belongs to. */
type RecordEntry = (tx: Orm, administrator: Administrator) => Promise<void>

export interface PasswordChange {
  administrator: Administrator
  /** Of the session that stays. */
  token: string
  current: string
  password: string
}

/** Of what was never a token the database need not be asked. */
const looksGiven = /^[\w-]{43}$/
const mostHeld = 1_000
const digest = (token: string) => hash('sha256', token, 'base64url')
const othersOf = (id: number, token: string) =>
  and(eq(adminSessions.adminUserId, id), ne(adminSessions.tokenHash, digest(token)))

export const idleTooLong = sql`now() - interval '30 minutes'`
export const openTooLong = sql`now() - interval '8 hours'`
// Writing it down at every call would be a write for every read.
const seenLately = sql`now() - interval '1 minute'`

/** As one types a name: capitals or not. Lowered here as the pace of logins lowers it, so that a name has one pace. */
export function isCalled(username: string): SQL | undefined {
  return or(eq(adminUsers.username, username), eq(sql`lower(${adminUsers.username})`, username.toLowerCase()))
}

/** Should two names differ in capitals alone, each is found by its own. */
export function exactFirst(username: string): SQL {
  return desc(eq(adminUsers.username, username))
}

/** `onRefused` hears of a wrong password for an account that exists. */
export function createSessions(
  { orm, transaction }: Database,
  onRefused: (administrator: Administrator) => void,
): Sessions {
  // What a stranger's password is compared with, so that the time tells nobody who exists.
  const nobodysPassword = unmatchable()
  // Anybody can invent tokens, and signing waits for the same connections. Who was found to hold one does not stand in line with them.
  const strangersInTurn = createInTurn({ mostAtOnce: 2, mostWaiting: 200, patienceMs: 3_000 })
  const held = new Set<string>()

  function noteHeld(tokenHash: string): void {
    held.delete(tokenHash)
    held.add(tokenHash)
    const [longestAgo] = held
    if (held.size > mostHeld && longestAgo) held.delete(longestAgo)
  }

  async function find(tokenHash: string) {
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
    return session
  }

  return {
    async open(username, password, recordEntry) {
      const [user] = await orm
        .select()
        .from(adminUsers)
        .where(and(isCalled(username), adminUsers.isActive))
        .orderBy(exactFirst(username))
        .limit(1)
      const matches = await passwordMatches(password, user?.password ?? nobodysPassword)
      if (!user) return undefined
      const administrator = { id: user.id, username: user.username }
      if (!matches) {
        onRefused(administrator)
        return undefined
      }
      const token = randomBytes(32).toString('base64url')
      // The account may have been deactivated, or its password changed, while this one was compared. Who is changing it this moment
      // is waited for, and then seen: without the lock the session would outlive the old password.
      const isOpen = await transaction(async (tx) => {
        const { rowCount } = await tx.execute(sql`
          insert into ${adminSessions} ("tokenHash", "adminUserId") select ${digest(token)}, id from ${adminUsers}
          where id = ${user.id} and "isActive" and password = ${user.password} for share`)
        if (rowCount === 1) await recordEntry(tx, administrator)
        return rowCount === 1
      })
      if (!isOpen) return undefined
      await orm.delete(adminSessions).where(lt(adminSessions.createdAt, openTooLong))
      noteHeld(digest(token))
      return { token, administrator }
    },

    async holderOf(token, presence) {
      if (!looksGiven.test(token)) return undefined
      const tokenHash = digest(token)
      const lookUp = () => find(tokenHash)
      const session = await (held.has(tokenHash) ? lookUp() : strangersInTurn(lookUp))
      if (!session) {
        held.delete(tokenHash)
        return undefined
      }
      noteHeld(tokenHash)
      const { stale, ...holder } = session
      if (stale && presence === 'present')
        await orm.update(adminSessions).set({ lastSeenAt: sql`now()` }).where(eq(adminSessions.tokenHash, tokenHash))
      return holder
    },

    closeOthers({ id }, token, audit) {
      return transaction(async (tx) => {
        await tx.delete(adminSessions).where(othersOf(id, token))
        await audit(tx)
      })
    },

    async changePassword({ administrator, token, current, password }, audit) {
      const { id } = administrator
      const [user] = await orm.select().from(adminUsers).where(eq(adminUsers.id, id))
      if (!user || !(await passwordMatches(current, user.password))) {
        onRefused(administrator)
        return undefined
      }
      const hashed = await hashPassword(password)
      return transaction(async (tx) => {
        const { rowCount } = await tx
          .update(adminUsers)
          .set({ password: hashed, updatedAt: sql`now()` })
          .where(and(eq(adminUsers.id, id), eq(adminUsers.password, user.password)))
        if (rowCount !== 1) return undefined
        await tx.delete(adminSessions).where(othersOf(id, token))
        await audit(tx)
        return true
      })
    },

    close(token, audit) {
      return transaction(async (tx) => {
        await tx.delete(adminSessions).where(eq(adminSessions.tokenHash, digest(token)))
        await audit(tx)
      })
    },
  }
}
