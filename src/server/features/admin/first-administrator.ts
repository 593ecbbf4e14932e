// The first account, made when there is none. Never resets one, never says a password.
import type { Config } from '#server/core/config.ts'
import { hashPassword } from '#server/core/passwords.ts'
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
