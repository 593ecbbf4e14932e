// Accounts of administrators: created, deactivated, activated, given a role. One active account always has all rights.
import { and, eq, gt, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type AdminRole, adminRoles } from '#contract/admin/roles.ts'
import type { Member } from '#contract/admin/team.ts'
import { AppError } from '#server/core/errors.ts'
import { hashPassword, randomPassword } from '#server/core/passwords.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { adminChallenges, adminSessions, adminUsers } from '#server/db/schema.ts'
import { refuseCommonPassword } from '#server/features/admin/common-passwords.ts'
import { type ResetPassword, resetPassword } from '#server/features/admin/password-reset.ts'
import { hasFactor } from '#server/features/admin/second-factor.ts'
import { ageCutoff, idleCutoff } from '#server/features/admin/sessions.ts'
import type { Administrator } from '#server/http/guard.ts'

interface NewMember {
  username: string
  email: string
  role: AdminRole
  password?: string | undefined
}

const { team: texts } = adminMessages
/** In the audit log. */
const roleLabel = 'Papel'
const uniqueViolation = '23505'

export type Team = ReturnType<typeof createTeam>

export function createTeam({ orm, transaction }: Database) {
  return {
    async list(me: Administrator): Promise<Member[]> {
      const isOpen = and(
        eq(adminSessions.adminUserId, adminUsers.id),
        gt(adminSessions.lastSeenAt, idleCutoff),
        gt(adminSessions.createdAt, ageCutoff),
      )
      const rows = await orm
        .select({
          user: adminUsers,
          sessions: sql<number>`count(${adminSessions.tokenHash})::int`,
          hasSecondFactor: hasFactor(adminUsers.id),
          lastSeenAt: sql<Date | null>`max(${adminSessions.lastSeenAt})`,
        })
        .from(adminUsers)
        .leftJoin(adminSessions, isOpen)
        .groupBy(adminUsers.id)
        .orderBy(sql`lower(${adminUsers.username})`, adminUsers.id)
      return rows.map(
        ({ user: { id, username, email, isActive, role, createdAt }, sessions, lastSeenAt, hasSecondFactor }) => ({
          ...{ id, username, email, isActive, role, createdAt: createdAt.toISOString(), isMe: id === me.id },
          ...{ hasSecondFactor, sessions, lastSeenAt: lastSeenAt && new Date(lastSeenAt).toISOString() },
        }),
      )
    },

    /** Returns the generated password, or null if a password was given. */
    async create({ username, email, role, password }: NewMember, audit: Audit): Promise<string | null> {
      if (password) refuseCommonPassword(password)
      const plain = password || randomPassword()
      const hashed = await hashPassword(plain)
      const creation = transaction(async (tx) => {
        // A concurrent creation of the same username in another case waits here, and then finds this one.
        await tx.execute(sql`lock table ${adminUsers} in share row exclusive mode`)
        const [same] = await tx
          .select({ id: adminUsers.id })
          .from(adminUsers)
          .where(sql`lower(${adminUsers.username}) = lower(${username})`)
        if (same) throw taken('username')
        await tx.insert(adminUsers).values({ username, email, role, password: hashed, mustChangePassword: !password })
        await audit(tx, username, [{ field: roleLabel, after: adminRoles[role] }])
      })
      await creation.catch((error) => {
        throw refusalOf(error)
      })
      return password ? null : plain
    },

    /** Also ends the sessions of the account. */
    deactivate(id: number, audit: Audit): Promise<void> {
      return transaction(async (tx) => {
        const users = await lockAccounts(tx)
        if (isLastCoordinator(users, id)) throw new AppError('conflict', texts.lastCoordinator)
        const [user] = await tx
          .update(adminUsers)
          .set({ isActive: false, updatedAt: sql`now()` })
          .where(eq(adminUsers.id, id))
          .returning({ username: adminUsers.username })
        if (!user) throw new AppError('not-found', texts.unknown)
        await tx.delete(adminSessions).where(eq(adminSessions.adminUserId, id))
        await tx.delete(adminChallenges).where(eq(adminChallenges.adminUserId, id))
        await audit(tx, user.username)
      })
    },

    activate(id: number, audit: Audit): Promise<void> {
      return transaction(async (tx) => {
        const [user] = await tx
          .update(adminUsers)
          .set({ isActive: true, updatedAt: sql`now()` })
          .where(eq(adminUsers.id, id))
          .returning({ username: adminUsers.username })
        if (!user) throw new AppError('not-found', texts.unknown)
        await audit(tx, user.username)
      })
    },

    /** Sessions read the role with every call, so it applies to open ones at once. */
    changeRole(id: number, role: AdminRole, audit: Audit): Promise<void> {
      return transaction(async (tx) => {
        const users = await lockAccounts(tx)
        const user = users.find((each) => each.id === id)
        if (!user) throw new AppError('not-found', texts.unknown)
        if (role !== 'coordenacao' && isLastCoordinator(users, id))
          throw new AppError('conflict', texts.lastCoordinator)
        await tx.update(adminUsers).set({ role, updatedAt: sql`now()` }).where(eq(adminUsers.id, id))
        await audit(tx, user.username, [{ field: roleLabel, before: adminRoles[user.role], after: adminRoles[role] }])
      })
    },

    /** For a colleague who lost the password. A deactivated account stays deactivated. */
    async resetMemberPassword(id: number, me: Administrator, audit: Audit): Promise<ResetPassword> {
      // Refused: a person who finds an unlocked browser could take over the account.
      if (id === me.id) throw new AppError('conflict', texts.resetOwn)
      const plain = randomPassword()
      const password = await hashPassword(plain)
      const user = await transaction(async (tx) => {
        const reset = await resetPassword(tx, id, { password })
        if (!reset) throw new AppError('not-found', texts.unknown)
        await audit(tx, reset.username)
        return reset
      })
      return { ...user, password: plain }
    },
  }
}

/**
 * A concurrent deactivation or change of role waits here, and then sees one coordinator fewer. All rows are locked in
 * the same order, because two transactions with different orders could deadlock.
 */
function lockAccounts(tx: Orm) {
  const { id, username, isActive, role } = adminUsers
  return tx.select({ id, username, isActive, role }).from(adminUsers).orderBy(id).for('update')
}

function isLastCoordinator(users: Awaited<ReturnType<typeof lockAccounts>>, id: number): boolean {
  const coordinators = users.filter(({ isActive, role }) => isActive && role === 'coordenacao')
  return coordinators.length === 1 && coordinators[0]?.id === id
}

function taken(field: 'username' | 'email'): AppError {
  const message = field === 'username' ? texts.usernameTaken : texts.emailTaken
  return new AppError('conflict', message, { errors: { [field]: message } })
}

function refusalOf(error: unknown): unknown {
  const { code, constraint } = (error as { cause?: { code?: string; constraint?: string } }).cause ?? {}
  if (code !== uniqueViolation) return error
  return taken(constraint?.includes('email') ? 'email' : 'username')
}
