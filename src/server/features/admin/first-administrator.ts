// The first account, made when there is none. Never resets one, never says a password.
import { sql } from 'drizzle-orm'
import { askedTogether } from '#server/core/asked-together.ts'
import type { Config } from '#server/core/config.ts'
import { hashPassword, randomPassword } from '#server/core/passwords.ts'
import type { Database } from '#server/db/database.ts'
import type { SchemaDatabase } from '#server/db/migrate.ts'
import { adminUsers } from '#server/db/schema.ts'

/** What the terminal tells the operator: there was an administrator, one was made, or none can be made without a password. */
export type FirstAdministrator = 'existing' | 'created' | 'missing'

/** Called under the migration lock, so that nodes that start together make one account. */
export async function ensureFirstAdministrator(
  orm: SchemaDatabase,
  admin: Config['admin'],
): Promise<FirstAdministrator> {
  if ((await orm.$count(adminUsers)) > 0) return 'existing'
  if (!admin.password) return 'missing'
  const { username, email } = admin
  await orm.insert(adminUsers).values({ username, email, password: await hashPassword(admin.password) })
  return 'created'
}

/** The same from a running site, for an operator who sees the login before an account. */
export interface FirstAccount {
  exists(): Promise<boolean>
  /** False when there was one already. */
  create(): Promise<boolean>
}

/** `tell` reaches the operator's terminal alone: a password that nobody configured is shown there and nowhere else. */
export function createFirstAccount(
  { orm }: Database,
  admin: Config['admin'],
  tell: (password: string) => void,
): FirstAccount {
  const exists = askedTogether(async () => (await orm.$count(adminUsers)) > 0)
  let creating: Promise<boolean> | undefined

  async function create(): Promise<boolean> {
    if (await exists()) return false
    const plain = admin.password ?? randomPassword()
    const { username, email } = admin
    // One statement, so that of several nodes one makes the account.
    const { rowCount } = await orm.execute(sql`
      insert into ${adminUsers} (username, email, password)
      select ${username}, ${email}, ${await hashPassword(plain)} where not exists (select 1 from ${adminUsers})
      on conflict do nothing`)
    if (rowCount && !admin.password) tell(plain)
    return rowCount === 1
  }

  return {
    exists,
    async create() {
      // Hashing is dear: who calls meanwhile waits, and finds the account there.
      if (creating) return creating.then(() => false)
      creating = create().finally(() => {
        creating = undefined
      })
      return creating
    },
  }
}
