// The embedded engine dies of a full disk or hangs. The server process stays, replies with 503 and recovers by itself.
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { isTransient } from '#server/db/database.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { connectTo, fill, openEmbeddedSite } from '#tests/chaos/sites.ts'
import { personalStrings } from '#tests/helpers/factories.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { mountSmallDisk, refusal, unmount } from '#tests/helpers/small-disk.ts'

if (refusal) console.log(`skipped: ${refusal}`)

const died = 'embedded database died'
const reopened = 'embedded database is open again'
const endlessQuery = `select count(*) from generate_series(1, 1e15)`

/** A folder with limited space. */
function smallDisk(megabytes: number): string {
  const folder = temporaryFolder()
  mountSmallDisk(folder, `${megabytes}m`)
  onTestFinished(() => unmount(folder))
  return folder
}

/** Fills the disk except for some megabytes. Returns a function that frees the space. */
function fillDisk(folder: string, freeMegabytes = 0): () => void {
  const file = join(folder, 'ocupado')
  const descriptor = openSync(file, 'w')
  for (const size of [2 ** 20, 2 ** 12]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  ftruncateSync(descriptor, fstatSync(descriptor).size - freeMegabytes * 2 ** 20)
  closeSync(descriptor)
  return () => rmSync(file)
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(50)
}

test.skipIf(refusal)(
  'a full disk that kills the engine loses no signature, and signing continues in the same process when there is space again',
  async () => {
    const settings = { dataDir: smallDisk(160) }
    await fill(settings)
    const server = await startServer(settings)
    onTestFinished(() => server.kill())
    const signers = startSigners({ url: server.url, otherwise: 'retry' })

    for (let times = 1; times <= 2; times++) {
      await signers.more(200)
      const freeDisk = fillDisk(settings.dataDir)
      // The engine survives a failed row, but not a failed WAL write, so this requests the next WAL segment at once.
      await until(async () => {
        const client = await connectTo(settings.dataDir).catch(() => undefined)
        await client?.query('select pg_switch_wal()').catch(() => {})
        await client?.query('create table cheio as select generate_series(1, 1000)').catch(() => {})
        await client?.query('drop table if exists cheio').catch(() => {})
        await client?.end().catch(() => {})
        return server.output().split(died).length > times
      })
      const before = signers.outcomes()['503'] ?? 0
      await until(() => (signers.outcomes()['503'] ?? 0) > before + 50)
      const pages = await fetch(`${server.url}/api/peticoes/count`)
      expect(pages.status).toBe(200)
      freeDisk()
      await signers.more(200)
    }
    await signers.stop()
    const code = await server.stop()

    console.log(`full disk: ${signers.acknowledged.size} acknowledged`, signers.outcomes(), server.output())
    expect(Object.keys(signers.outcomes()).sort()).toEqual(['201', '503'])
    expect(server.output()).toContain(reopened)
    expect(personalStrings().filter((secret) => server.output().includes(secret))).toEqual([])
    expect(code).toBe(0)
    expect(await auditData(settings, signers.acknowledged)).toEqual(noViolations)
  },
)

test.skipIf(refusal)(
  'a first start on a full disk fails with a helpful message, and the next start works',
  async () => {
    const dataDir = smallDisk(160)
    const freeDisk = fillDisk(dataDir, 20)

    await expect(startServer({ dataDir })).rejects.toThrow(`não foi possível abrir o banco embutido em ${dataDir}`)
    freeDisk()
    const server = await startServer({ dataDir })

    expect(await server.stop()).toBe(0)
  },
)

test('an engine that hangs is restarted under its lock, and concurrent queries fail with a transient error', async () => {
  const dataDir = temporaryFolder()
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => lines.push(line) })
  const engine = await startEmbedded(dataDir, { log, heartbeatTimeoutMs: 2_000 })
  onTestFinished(() => engine.stop())
  const pool = new pg.Pool({ ...engine.connection, max: 4 })
  pool.on('error', () => {})
  await pool.query('create table contas as select 1 as n')

  const hung = pool.query(endlessQuery).catch((error) => error)
  const queued = pool.query('select n from contas').catch((error) => error)
  const failures = [await hung, await queued]
  await expect(startEmbedded(dataDir)).rejects.toThrow('já está em uso')
  await until(() => lines.some((line) => line.includes(reopened)))
  const { rows } = await pool.query('select n from contas')
  await pool.end()

  expect(failures.map(isTransient)).toEqual([true, true])
  expect(rows).toEqual([{ n: 1 }])
  expect(lines.filter((line) => line.includes(died))).toHaveLength(1)
})

test('an engine that hangs does not prevent a graceful stop of the server', async () => {
  const site = await openEmbeddedSite()
  onTestFinished(() => site.remove())
  const server = await startServer(site.settings)
  onTestFinished(() => server.kill())
  const signers = startSigners({ url: server.url, otherwise: 'leave' })
  await signers.more(100)
  const client = await connectTo(server.dataDir)
  const count = async () => (await fetch(`${server.url}/api/peticoes/count`)).status
  expect(await count()).toBe(200)
  const hung = client.query(endlessQuery).catch(() => {})
  // The count is now being read again, which may take longer than the time for a shutdown.
  await delay(1_500)
  expect(await count()).toBe(200)

  const stopRequestedAt = performance.now()
  const code = await server.stop()
  const tookMs = performance.now() - stopRequestedAt
  await Promise.all([signers.gone(), hung])

  console.log(`hanging engine: stopped in ${Math.round(tookMs)} ms`, signers.outcomes())
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(10_000)
  expect(Object.keys(signers.outcomes()).filter((outcome) => !['201', '503', 'refused'].includes(outcome))).toEqual([])
  expect((await auditData(site.settings, signers.acknowledged)).lost).toEqual([])
})
