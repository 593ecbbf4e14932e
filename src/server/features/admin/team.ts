// The accounts of administrators: made, deactivated, activated. One active account is always left.
import { and, eq, gt, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Member } from '#contract/admin/team.ts'
import { AppError } from '#server/core/errors.ts'
import { hashPassword, randomPassword } from '#server/core/passwords.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { adminSessions, adminUsers } from '#server/db/schema.ts'
import { type Renewed, renew } from '#server/features/admin/renewal.ts'
import { idleTooLong, openTooLong } from '#server/features/admin/sessions.ts'
import type { Administrator } from '#server/http/guard.ts'

export interface NewMember {
  username: string
  email: string
  password?: string | undefined
}

export interface Team {
  list(me: Administrator): Promise<Member[]>
  /** Answers the password that was made, if none was given. */
  create(member: NewMember, audit: Audit): Promise<string | null>
  /** Ends the sessions as well. */
  deactivate(id: number, audit: Audit): Promise<void>
  activate(id: number, audit: Audit): Promise<void>
  /** Of a colleague who lost theirs; one who is deactivated stays so. */
  renewPassword(id: number, me: Administrator, audit: Audit): Promise<Renewed>
}

const { team: sentences } = adminMessages
const uniqueViolation = '23505'

export function createTeam({ orm, transaction }: Database): Team {
  return {
    async list(me) {
      const isOpen = and(
        eq(adminSessions.adminUserId, adminUsers.id),
        gt(adminSessions.lastSeenAt, idleTooLong),
        gt(adminSessions.createdAt, openTooLong),
      )
      const rows = await orm
        .select({
          user: adminUsers,
          sessions: sql<number>`count(${adminSessions.tokenHash})::int`,
          lastSeenAt: sql<Date | null>`max(${adminSessions.lastSeenAt})`,
        })
        .from(adminUsers)
        .leftJoin(adminSessions, isOpen)
        .groupBy(adminUsers.id)
        .orderBy(sql`lower(${adminUsers.username})`, adminUsers.id)
      return rows.map(({ user: { id, username, email, isActive, createdAt }, sessions, lastSeenAt }) => ({
        ...{ id, username, email, isActive, createdAt: createdAt.toISOString(), isMe: id === me.id },
        ...{ sessions, lastSeenAt: lastSeenAt && new Date(lastSeenAt).toISOString() },
      }))
    },

    async create({ username, email, password }, audit) {
      const plain = password || randomPassword()
      const hashed = await hashPassword(plain)
      const make = transaction(async (tx) => {
        // Whoever makes the same account at the same moment, in other letters, waits here and then finds it.
        await tx.execute(sql`lock table ${adminUsers} in share row exclusive mode`)
        const [same] = await tx
          .select({ id: adminUsers.id })
          .from(adminUsers)
          .where(sql`lower(${adminUsers.username}) = lower(${username})`)
        if (same) throw taken('username')
        await tx.insert(adminUsers).values({ username, email, password: hashed })
        await audit(tx, username)
      })
      await make.catch((error) => {
        throw refusalOf(error)
      })
      return password ? null : plain
    },

    deactivate(id, audit) {
      return transaction(async (tx) => {
        // Whoever deactivates somebody else at the same moment waits here, and then finds one account fewer. All accounts, in order:
        // two who hold each other's would wait for ever.
        const users = await tx
          .select({ id: adminUsers.id, isActive: adminUsers.isActive })
          .from(adminUsers)
          .orderBy(adminUsers.id)
          .for('update')
        const active = users.filter(({ isActive }) => isActive)
        if (active.length === 1 && active[0]?.id === id) throw new AppError('conflict', sentences.last)
        const [user] = await tx
          .update(adminUsers)
          .set({ isActive: false, updatedAt: sql`now()` })
          .where(eq(adminUsers.id, id))
          .returning({ username: adminUsers.username })
        if (!user) throw new AppError('not-found', sentences.unknown)
        await tx.delete(adminSessions).where(eq(adminSessions.adminUserId, id))
        await audit(tx, user.username)
      })
    },

    activate(id, audit) {
      return transaction(async (tx) => {
        const [user] = await tx
          .update(adminUsers)
          .set({ isActive: true, updatedAt: sql`now()` })
          .where(eq(adminUsers.id, id))
          .returning({ username: adminUsers.username })
        if (!user) throw new AppError('not-found', sentences.unknown)
        await audit(tx, user.username)
      })
    },

    async renewPassword(id, me, audit) {
      // Whoever finds a browser open must not take the account over.
      if (id === me.id) throw new AppError('conflict', sentences.renewOwn)
      const plain = randomPassword()
      const password = await hashPassword(plain)
      const user = await transaction(async (tx) => {
        const renewed = await renew(tx, id, { password })
        if (!renewed) throw new AppError('not-found', sentences.unknown)
        await audit(tx, renewed.username)
        return renewed
      })
      return { ...user, password: plain }
    },
  }
}

function taken(field: 'username' | 'email'): AppError {
  const sentence = field === 'username' ? sentences.usernameTaken : sentences.emailTaken
  return new AppError('conflict', sentence, { [field]: sentence })
}

function refusalOf(error: unknown): unknown {
  const { code, constraint } = (error as { cause?: { code?: string; constraint?: string } }).cause ?? {}
  if (code !== uniqueViolation) return error
  return taken(constraint?.includes('email') ? 'email' : 'username')
}
