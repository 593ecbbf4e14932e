// npm run verify-audit on both engines, while the site is running and stopped, and after a restore into the other one.
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { engines } from '#tests/chaos/sites.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { run } from '#tests/helpers/command.ts'
import { aCampaign } from '#tests/helpers/factories.ts'
import { createCluster } from '#tests/helpers/postgres.ts'
import { type ServerSettings, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const credentials = { username: 'admin', password: 'senha-de-teste-123' }

/** Runs a statement in the database of a stopped site. */
async function change({ dataDir = '', env }: ServerSettings, statement: string): Promise<void> {
  const embedded = env?.DATABASE_URL ? undefined : await startEmbedded(dataDir)
  const client = new pg.Client(embedded?.connection ?? { connectionString: env?.DATABASE_URL })
  await client.connect()
  await client.query(statement)
  await client.end()
  await embedded?.stop()
}

test.each(engines)(
  'on %s the audit log is verified, and a change of it is found',
  { timeout: 300_000 },
  async (_, open) => {
    const opened = await open()
    onTestFinished(opened.remove)
    const { dataDir = temporaryFolder(), env } = opened.settings
    const settings = { dataDir, env: { ...env, ADMIN_PASSWORD: credentials.password } }
    const server = await startServer(settings)
    const admin = await enter(server, credentials)
    for (let n = 0; n < 3; n += 1) await admin.ask('POST', '/api/admin/campaigns', aCampaign())

    const running = await run('verify-audit', settings)
    expect(running).toMatchObject({ code: 0, output: expect.stringContaining('O registro confere: 4 ações') })
    await server.stop()
    const kept = /^npm run verify-audit -- (\d+) (\w{64})$/m.exec(running.output)?.slice(1) ?? []
    expect(kept).toHaveLength(2)
    expect((await run('verify-audit', settings, ...kept)).code).toBe(0)
    expect((await run('verify-audit', settings, '4')).code).toBe(2)

    const file = join(temporaryFolder(), 'copia.mobiliza')
    expect((await run('backup', settings, file)).code).toBe(0)
    const other: ServerSettings = { dataDir: temporaryFolder() }
    if (!env?.DATABASE_URL) {
      const cluster = await createCluster({ fsync: 'off' })
      onTestFinished(() => cluster.remove())
      other.env = { DATABASE_URL: await cluster.createDatabase('restaurado') }
    }
    expect((await run('restore', other, file)).code).toBe(0)
    expect((await run('verify-audit', other, ...kept)).code).toBe(0)

    await change(settings, `delete from admin_actions where "position" = 4`)
    expect((await run('verify-audit', settings)).code).toBe(0)
    expect(await run('verify-audit', settings, ...kept)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Falta a ação da posição 4'),
    })
    await change(settings, `update admin_actions set target = 'outra' where "position" = 2`)
    expect(await run('verify-audit', settings)).toMatchObject({
      code: 1,
      output: expect.stringContaining('A ação da posição 2 foi mudada'),
    })
  },
)
