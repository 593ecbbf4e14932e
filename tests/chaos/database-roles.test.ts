// The role of the site, as deploy/postgresql/roles.sql and npm run migrate make it, cannot change the audit log.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { enter } from '#tests/helpers/administrator.ts'
import { run } from '#tests/helpers/command.ts'
import { aCampaign, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type Cluster, createCluster, postgresBinary, rowsOf } from '#tests/helpers/postgres.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const rolesFile = fileURLToPath(new URL('../../deploy/postgresql/roles.sql', import.meta.url))
const credentials = { username: 'admin', password: 'senha-de-teste-123' }

async function openCluster() {
  const cluster = await createCluster({ fsync: 'off' })
  onTestFinished(() => cluster.remove())
  const url = (role: string) => `postgres://${role}@127.0.0.1:${cluster.port}/mobiliza`
  const dataDir = temporaryFolder()
  const env = {
    DATABASE_URL: url('mobiliza'),
    DATA_KEY: randomBytes(32).toString('base64'),
    ADMIN_PASSWORD: credentials.password,
  }
  const site = { dataDir, env }
  return { cluster, site, owner: { dataDir, env: { ...env, DATABASE_OWNER_URL: url('mobiliza_owner') } } }
}

function divideRoles({ port }: Cluster): void {
  const args = ['-X', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-f', rolesFile]
  const env = { ...process.env, DATABASE_PASSWORD: "senha'do\\site", OWNER_PASSWORD: 'senha-do-dono' }
  execFileSync(postgresBinary('psql'), [...args, '-d', 'postgres'], { env, stdio: 'pipe' })
}

async function expectProtected(url: string): Promise<void> {
  expect(await rowsOf(url, 'select 1 from admin_actions limit 1')).toHaveLength(1)
  for (const statement of [
    `update admin_actions set target = 'outro'`,
    `update admin_actions set "position" = null, hash = null`,
    'delete from admin_actions',
    'truncate admin_actions',
    'drop table admin_actions',
    'alter table admin_actions disable trigger audit_chain',
    'drop trigger audit_chain on admin_actions',
    'drop function audit_chain() cascade',
    'create or replace function audit_chain() returns trigger language plpgsql as $$ begin return null; end $$',
    'create table public.outra (id int)',
    'set session_replication_role = replica',
    'set role mobiliza_owner',
    `insert into admin_actions (username, action, "createdAt") values ('x', 'y', '2020-01-01')`,
    `insert into admin_actions (username, action, "position", hash) values ('x', 'y', 99, sha256('z'))`,
  ])
    await expect(rowsOf(url, statement), statement).rejects.toMatchObject({ code: '42501' })
}

test('a site with a role of its own works, and this role cannot change the audit log', async () => {
  const { cluster, site, owner } = await openCluster()
  divideRoles(cluster)
  divideRoles(cluster)

  const early = await startServer(site).then(
    () => 'started',
    (error: Error) => error.message,
  )
  expect(early).toContain('npm run migrate')
  expect(await run('migrate', owner)).toMatchObject({ code: 0 })

  const server = await startServer(site)
  const admin = await enter(server, credentials)
  await admin.ask('POST', '/api/admin/campaigns', aCampaign())
  expect((await postJson(`${server.url}/api/peticoes`, aSignature())).status).toBe(201)
  const people = await admin.ask<{ pessoas: { id: string }[] }>('GET', '/api/admin/pessoas/assinaturas')
  await admin.ask('GET', `/api/admin/pessoas/assinaturas/${people.pessoas[0]?.id}`)
  expect((await admin.call('DELETE', `/api/admin/pessoas/assinaturas/${people.pessoas[0]?.id}`)).status).toBe(200)
  await expectProtected(site.env.DATABASE_URL)
  const verified = await run('verify-audit', site)
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('O registro confere: 4 ações') })
  // Another migration, while the site is running, changes no right.
  expect(await run('migrate', owner)).toMatchObject({ code: 0 })
  await expectProtected(site.env.DATABASE_URL)
  await server.stop()

  const file = join(temporaryFolder(), 'copia.mobiliza')
  expect(await run('backup', site, file)).toMatchObject({ code: 0 })
  expect(await run('restore', owner, file, '--substituir')).toEqual({ code: 0, output: expect.any(String) })
  await expectProtected(site.env.DATABASE_URL)
  const hash = (output: string) => /^Hash: (\w+)$/m.exec(output)?.[1]
  expect(hash((await run('verify-audit', site)).output)).toBe(hash(verified.output))
  const again = await startServer(site)
  await enter(again, credentials)
  await again.stop()
  expect((await run('verify-audit', site, '4', String(hash(verified.output)))).code).toBe(0)
})

test('an installation whose site owns the tables is divided, and keeps its entries', async () => {
  const { cluster, site, owner } = await openCluster()
  await cluster.query('create role mobiliza login')
  await cluster.query('create database mobiliza owner mobiliza')
  const before = await startServer(site)
  await enter(before, credentials)
  await before.stop()

  divideRoles(cluster)
  expect(await run('migrate', owner)).toMatchObject({ code: 0 })

  await expectProtected(site.env.DATABASE_URL)
  const after = await startServer(site)
  await enter(after, credentials)
  await after.stop()
  expect((await run('verify-audit', site)).output).toContain('O registro confere: 2 ações')
})
