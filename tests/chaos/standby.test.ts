// A synchronous standby stops, comes back, and replaces a dead primary. The server uses one address and keeps running.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { startProxy } from '#tests/chaos/proxy.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { fill } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type Cluster, createCluster } from '#tests/helpers/postgres.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { everyForm, startSigners } from '#tests/helpers/signers.ts'
import { createStandby, type Standby } from '#tests/helpers/standby.ts'

async function requireStandby(primary: Cluster): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  await expect
    .poll(() => primary.query('select sync_state from pg_stat_replication'), { timeout: 10_000 })
    .toEqual([{ sync_state: 'sync' }])
}

test('a promoted standby has everything that was acknowledged, and nothing is acknowledged while only one copy exists', async () => {
  let primary = await createCluster()
  let standby: Standby | undefined
  const proxy = await startProxy(primary.port)
  onTestFinished(async () => {
    await proxy.stop()
    await primary.remove()
    await standby?.remove()
  })
  await primary.createDatabase('mobiliza')
  const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/mobiliza` }
  await fill({ env })
  const server = await startServer({ env, dataDir: primary.folder })
  onTestFinished(() => server.kill())
  const signers = startSigners({ url: server.url, paths: everyForm, otherwise: 'retry' })
  const acknowledgedCount = () => signers.acknowledged.size
  const signedAgainAfterMs: number[] = []

  for (let promotions = 0; promotions < size.promotions; promotions++) {
    standby = await createStandby(primary)
    await requireStandby(primary)
    await signers.more(size.signedBetween)

    // A terminated backend leaves a commit that only the primary has. A retry of such a request must wait for the
    // standby too.
    await standby.kill()
    await delay(500)
    const countWithStandby = acknowledgedCount()
    for (let times = 0; times < 8; times++) {
      await primary.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'mobiliza'`)
      await delay(300)
    }
    expect(acknowledgedCount() - countWithStandby).toBe(0)
    await standby.start()
    await signers.more(size.signedBetween)

    await primary.kill()
    proxy.switchTo(standby.port)
    await delay(500)
    const countOfPrimary = acknowledgedCount()
    await delay(1_500)
    expect(acknowledgedCount() - countOfPrimary).toBe(0)
    await standby.promote()
    const promotedAt = performance.now()
    await signers.more(1)
    signedAgainAfterMs.push(Math.round(performance.now() - promotedAt))
    await signers.more(size.signedBetween)
    await primary.remove()
    primary = standby
    standby = undefined
  }
  await signers.stop()

  const audit = await auditData({ env }, signers.acknowledged)
  const { notes, ...figures } = figuresOf(signers)
  reportResult({
    test: 'promotion of a synchronous standby',
    databaseCrashes: 2 * size.promotions,
    ...figures,
    audit,
    notes: `${notes}; signed again ${signedAgainAfterMs.join(', ')} ms after a promotion`,
  })
  expect(audit).toEqual(noViolations)
  for (const ms of signedAgainAfterMs) expect(ms).toBeLessThan(3_000)
  expect(Object.keys(signers.outcomes()).filter((outcome) => !/^(201|303|503)$/.test(outcome))).toEqual([])
  expect(server.process.exitCode).toBe(null)
  expect(server.output()).not.toContain('"level":50')
})

test('a repeat of a signature of a closed campaign is answered only when the standby has the signature', async () => {
  const primary = await createCluster()
  onTestFinished(() => primary.remove())
  const env = { DATABASE_URL: await primary.createDatabase('mobiliza') }
  await fill({ env })
  const server = await startServer({ env, dataDir: primary.folder })
  onTestFinished(() => server.kill())
  const [requestId, signature] = [crypto.randomUUID(), aSignature()]
  const send = (request: string) =>
    postJson(`${server.url}/api/campaigns/juros/signatures`, signature, { 'x-request-id': request })
  expect((await send(requestId)).status).toBe(201)
  const client = new pg.Client(env.DATABASE_URL)
  onTestFinished(() => client.end())
  await client.connect()
  await client.query(`update campaigns set status = 'closed' where slug = 'juros'`)
  await expect.poll(async () => (await send(crypto.randomUUID())).status).toBe(410)
  const configure = async (setting: string, value: string) => {
    await primary.query(`alter system set ${setting} = '${value}'`)
    await primary.query('select pg_reload_conf()')
    await expect.poll(() => primary.query(`show ${setting}`)).toEqual([{ [setting]: value }])
    // Running sessions follow a moment later.
    await delay(500)
  }

  // No standby is connected, as if it had stopped before it received the signature.
  await configure('synchronous_standby_names', 'standby1')
  let repeated: number | undefined
  const answer = send(requestId).then(({ status }) => {
    repeated = status
  })
  const ofAnother = await send(crypto.randomUUID())
  await delay(1_500)
  expect([repeated, ofAnother.status]).toEqual([undefined, 410])
  await configure('synchronous_standby_names', '')
  await answer
  expect(repeated).toBe(201)

  // A standby that is not promoted yet refuses writes, and may not show every signature.
  await configure('default_transaction_read_only', 'on')
  const onStandby = await Promise.all([send(requestId), send(crypto.randomUUID())])
  expect(onStandby.map(({ status }) => status)).toEqual([503, 503])
})
