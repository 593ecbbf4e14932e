// PostgreSQL on a small disk that fills up while clients sign: only stored signatures are acknowledged, and free
// space is enough to recover.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { fill } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { type Cluster, chownToUnprivileged, createCluster, unprivilegedFolder } from '#tests/helpers/postgres.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { mountSmallDisk, refusal, unmount } from '#tests/helpers/small-disk.ts'

/** Fills the disk. The file grows from where it ended. */
function fillDisk(file: string): void {
  const ballast = openSync(file, 'a')
  try {
    for (const block of [Buffer.alloc(1 << 20), Buffer.alloc(4096)]) {
      try {
        while (writeSync(ballast, block) === block.length);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(ballast)
  }
}

test('a full disk of PostgreSQL gives a 503, and signing continues when there is space', async ({ skip }) => {
  if (refusal) {
    reportResult({ test: 'full disk', notes: `skipped: ${refusal}` })
    skip(refusal)
  }
  const folder = unprivilegedFolder('mobiliza-pg-')
  mountSmallDisk(folder, '192m')
  let cluster: Cluster | undefined
  onTestFinished(async () => {
    await cluster?.kill()
    unmount(folder)
  })
  cluster = await createCluster({ min_wal_size: '32MB', max_wal_size: '32MB' }, chownToUnprivileged(folder))
  const env = { DATABASE_URL: await cluster.createDatabase('mobiliza') }
  await fill({ env })
  const server = await startServer({ env })
  onTestFinished(() => server.kill())
  const statusOf = async (path: string) => (await fetch(server.url + path)).status
  expect(await statusOf('/peticao')).toBe(200)
  const signers = startSigners({ url: server.url, otherwise: 'retry' })
  const ballast = join(folder, 'lastro')
  const crashed: boolean[] = []

  for (let fillings = 0; fillings < size.diskFillings; fillings++) {
    await signers.more(size.signedBetween)
    const refusedBefore = signers.outcomes()['503'] ?? 0
    fillDisk(ballast)
    await expect.poll(() => signers.outcomes()['503'] ?? 0, { timeout: 30_000 }).toBeGreaterThan(refusedBefore)
    const fullUntil = performance.now() + size.diskFullMs
    while (performance.now() < fullUntil) {
      fillDisk(ballast)
      expect([await statusOf('/peticao'), await statusOf('/api/peticoes/count')]).toEqual([200, 200])
      // Each switch needs a new WAL file. Without space for it, PostgreSQL stops.
      await cluster.query('select pg_switch_wal()').catch(() => {})
      await delay(200)
    }

    rmSync(ballast)
    crashed.push(!cluster.isRunning())
    if (!cluster.isRunning()) await cluster.start()
    const backAt = performance.now()
    await signers.more(1)
    expect(performance.now() - backAt).toBeLessThan(3_000)
  }
  await signers.more(size.signedBetween)
  await signers.stop()

  const audit = await auditData({ env }, signers.acknowledged)
  const { notes, ...figures } = figuresOf(signers)
  const crashes = crashed.filter(Boolean).length
  reportResult({ test: 'full disk', databaseCrashes: crashes, ...figures, audit, notes })
  expect(audit).toEqual(noViolations)
  expect(Object.keys(signers.outcomes()).sort()).toEqual(['201', '503'])
  expect(server.process.exitCode).toBe(null)
  expect(server.output()).not.toContain('"level":50')
})
