// A password made anew for who lost theirs: with it end the old one, every session, and any login that is under way.
import { eq, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { hashPassword, randomPassword } from '#server/core/passwords.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { adminActions, adminSessions, adminUsers } from '#server/db/schema.ts'
import { exactFirst, isCalled } from '#server/features/admin/sessions.ts'

export interface Renewed {
  username: string
  isActive: boolean
  /** In clear: to be told once. */
  password: string
}

export interface Recovered extends Renewed {
  wasActive: boolean
}

const { deeds } = adminMessages

/** Nothing when there is no such account. The sessions after the password: who enters in between is refused. */
export async function renew(
  tx: Orm,
  id: number,
  change: { password: string; isActive?: true },
): Promise<Omit<Renewed, 'password'> | undefined> {
  const [user] = await tx
    .update(adminUsers)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(adminUsers.id, id))
    .returning({ username: adminUsers.username, isActive: adminUsers.isActive })
  await tx.delete(adminSessions).where(eq(adminSessions.adminUserId, id))
  return user
}

/** For the operator, when nobody who could do it gets in: the account is active afterwards. Nothing when there is none. */
export async function recoverAccount({ transaction }: Database, username: string): Promise<Recovered | undefined> {
  const plain = randomPassword()
  const password = await hashPassword(plain)
  return transaction(async (tx) => {
    const [found] = await tx
      .select({ id: adminUsers.id, isActive: adminUsers.isActive })
      .from(adminUsers)
      .where(isCalled(username))
      .orderBy(exactFirst(username))
      .limit(1)
      .for('update')
    const user = found && (await renew(tx, found.id, { password, isActive: true }))
    if (!user) return undefined
    const done = [deeds.renewedPassword, ...(found.isActive ? [] : [deeds.activated])]
    await tx.insert(adminActions).values(done.map((acao) => ({ username: deeds.operator, acao, alvo: user.username })))
    return { ...user, wasActive: found.isActive, password: plain }
  })
}

export async function activeNames({ orm }: Database): Promise<string[]> {
  const users = await orm
    .select({ username: adminUsers.username })
    .from(adminUsers)
    .where(eq(adminUsers.isActive, true))
    .orderBy(adminUsers.username)
  return users.map(({ username }) => username)
}
