// Replaces a lost password. The old password, all sessions and any login in progress become invalid, and no device
// is known any more.
import { eq, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { secondFactorActions } from '#contract/admin/second-factor.ts'
import { hashPassword, randomPassword } from '#server/core/passwords.ts'
import { insertAuditEntry } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { adminChallenges, adminSessions, adminUsers } from '#server/db/schema.ts'
import { forgetDevices } from '#server/features/admin/device-tokens.ts'
import { noRefusedPasswords } from '#server/features/admin/guess-limit.ts'
import { hasSecondFactor, removeSecondFactors } from '#server/features/admin/second-factor.ts'
import { exactFirst, usernameMatches } from '#server/features/admin/sessions.ts'

export interface ResetPassword {
  username: string
  isActive: boolean
  /** Plain text, displayed once. */
  password: string
}

export interface RecoveredAccount extends ResetPassword {
  wasActive: boolean
  /** What became of the second factor. */
  secondFactor: 'none' | 'kept' | 'removed'
}

const { auditLog } = adminMessages

/** The password is generated and must be changed. Undefined if the account does not exist. Sessions are deleted last, so that a login in between is refused. */
export async function resetPassword(
  tx: Orm,
  id: number,
  change: { password: string; isActive?: true },
): Promise<Omit<ResetPassword, 'password'> | undefined> {
  const [user] = await tx
    .update(adminUsers)
    .set({ ...change, mustChangePassword: true, ...noRefusedPasswords, updatedAt: sql`now()` })
    .where(eq(adminUsers.id, id))
    .returning({ username: adminUsers.username, isActive: adminUsers.isActive })
  await tx.delete(adminSessions).where(eq(adminSessions.adminUserId, id))
  await tx.delete(adminChallenges).where(eq(adminChallenges.adminUserId, id))
  await forgetDevices(tx, id)
  return user
}

/** For the operator, when no administrator can log in. Also activates the account. Undefined if it does not exist. */
export async function recoverAccount(
  { transaction }: Database,
  username: string,
  { removesSecondFactor = false } = {},
): Promise<RecoveredAccount | undefined> {
  const plain = randomPassword()
  const password = await hashPassword(plain)
  return transaction(async (tx) => {
    const [found] = await tx
      .select({ id: adminUsers.id, isActive: adminUsers.isActive })
      .from(adminUsers)
      .where(usernameMatches(username))
      .orderBy(exactFirst(username))
      .limit(1)
      .for('update')
    const user = found && (await resetPassword(tx, found.id, { password, isActive: true }))
    if (!user) return undefined
    const hadFactor = removesSecondFactor
      ? await removeSecondFactors(tx, found.id)
      : await hasSecondFactor(tx, found.id)
    const secondFactor = hadFactor ? (removesSecondFactor ? 'removed' : 'kept') : 'none'
    const actions = [
      auditLog.resetPasswordMessage,
      ...(found.isActive ? [] : [auditLog.activated]),
      ...(secondFactor === 'removed' ? [secondFactorActions.removed] : []),
    ]
    for (const action of actions)
      await insertAuditEntry(tx, { username: auditLog.operator, action, target: user.username })
    return { ...user, wasActive: found.isActive, password: plain, secondFactor }
  })
}

export async function activeUsernames({ orm }: Database): Promise<string[]> {
  const users = await orm
    .select({ username: adminUsers.username })
    .from(adminUsers)
    .where(eq(adminUsers.isActive, true))
    .orderBy(adminUsers.username)
  return users.map(({ username }) => username)
}
