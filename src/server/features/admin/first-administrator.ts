// Creates the first administrator account if there is none. It never resets an account or sends a password to a client.
import { sql } from 'drizzle-orm'
import type { Config } from '#server/core/config.ts'
import { hashPassword, randomPassword } from '#server/core/passwords.ts'
import { createShortCache } from '#server/core/short-cache.ts'
import type { Database } from '#server/db/database.ts'
import type { SchemaDatabase } from '#server/db/migrate.ts'
import { adminUsers } from '#server/db/schema.ts'

/** Shown to the operator: an account exists, was created, or is missing because no password is configured. */
export type FirstAdministrator = 'existing' | 'created' | 'missing'

/** Runs under the migration lock, so that nodes that start together create only one account. */
export async function ensureFirstAdministrator(
  orm: SchemaDatabase,
  admin: Config['admin'],
): Promise<FirstAdministrator> {
  if ((await orm.$count(adminUsers)) > 0) return 'existing'
  if (!admin.password) return 'missing'
  const { username, email, generated: mustChangePassword } = admin
  await orm
    .insert(adminUsers)
    .values({ username, email, password: await hashPassword(admin.password), mustChangePassword })
  return 'created'
}

/** Creates the account on a running site, when the login page is opened before an account exists. */
interface FirstAccount {
  /** May be a second old: anybody may ask. */
  exists(): Promise<boolean>
  /** False if an account already exists. */
  create(): Promise<boolean>
}

/** `showPassword` writes to the operator's terminal. A generated password is shown nowhere else. */
export function createFirstAccount(
  { orm }: Database,
  admin: Config['admin'],
  showPassword: (password: string) => void,
): FirstAccount {
  const exists = async () => (await orm.$count(adminUsers)) > 0
  const recent = createShortCache(exists, 1_000)
  let creating: Promise<boolean> | undefined

  async function create(): Promise<boolean> {
    // A site with an account keeps one: calls of anybody cause no query.
    if ((await recent.get()) || (await exists())) return false
    const plain = admin.password ?? randomPassword()
    const { username, email } = admin
    const mustChangePassword = !admin.password || admin.generated === true
    // One statement, so that only one of several nodes creates the account.
    const { rowCount } = await orm.execute(sql`
      insert into ${adminUsers} (username, email, password, "mustChangePassword")
      select ${username}, ${email}, ${await hashPassword(plain)}, ${mustChangePassword}::boolean where not exists (select 1 from ${adminUsers})
      on conflict do nothing`)
    recent.expire()
    if (rowCount && !admin.password) showPassword(plain)
    return rowCount === 1
  }

  return {
    exists: recent.get,
    async create() {
      // Hashing is expensive, so concurrent calls wait for the running one. The account exists afterwards.
      if (creating) return creating.then(() => false)
      creating = create().finally(() => {
        creating = undefined
      })
      return creating
    },
  }
}
