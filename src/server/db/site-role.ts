// Rights of the role of the site, when another role owns the tables: it reads and writes all of them, but can neither
// change nor delete entries of the audit log.
import type { ClientBase } from 'pg'
import { ConfigError } from '#server/core/config.ts'

const auditTable = 'admin_actions'
/** Without `createdAt`, `position` and `hash`, which the database sets. */
const auditColumns = 'username, action, target, changes, session, address'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Must run in a transaction of the owner. Repeated after every migration, which may have created tables. */
export async function grantSiteRole(client: ClientBase, role: string): Promise<void> {
  const { rows: roles } = await client.query('select from pg_roles where rolname = $1', [role])
  if (roles.length === 0)
    throw new ConfigError([`o PostgreSQL não tem o usuário ${role} de DATABASE_URL (deploy/postgresql/roles.sql)`])
  // The database may contain tables of other programs.
  const { rows } = await client.query<{ name: string; kind: 'r' | 'S' }>(
    `select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relowner = current_user::regrole`,
  )
  const names = (kind: 'r' | 'S') => rows.filter((row) => row.kind === kind).map(({ name }) => name)
  const list = (each: string[]) => each.map((name) => `public.${quoted(name)}`).join(', ')
  const site = quoted(role)
  await client.query(`revoke all on public.${auditTable} from ${site}`)
  await client.query(`grant select, insert (${auditColumns}) on public.${auditTable} to ${site}`)
  const others = names('r').filter((name) => name !== auditTable)
  await client.query(`grant select, insert, update, delete on ${list(others)} to ${site}`)
  await client.query(`grant usage, select on sequence ${list(names('S'))} to ${site}`)
  await client.query(`grant usage on schema drizzle to ${site}`)
  await client.query(`grant select on drizzle.__drizzle_migrations to ${site}`)
}
