// A site with the embedded database has to live on a rented server of one gigabyte.
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { memoryOf } from '../../bench/resources.ts'

/** The engine's code is compiled for some seconds after it has opened. */
const settlingMs = 4_000

async function mostMegabytesOfStart(dataDir: string): Promise<number> {
  const server = await startServer({ dataDir })
  onTestFinished(() => server.kill())
  await delay(settlingMs)
  const { mostMegabytes } = memoryOf(server.process.pid ?? 0)
  await server.stop()
  return mostMegabytes
}

test.runIf(process.platform === 'linux')(
  'the first start, which makes the database and draws the posters, and every later one fit in',
  async () => {
    const dataDir = temporaryFolder()
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))

    // Seen: 840 and 520. On Node 24 the compiler alone took 1,200 for one function of the engine.
    expect(await mostMegabytesOfStart(dataDir)).toBeLessThan(950)
    expect(await mostMegabytesOfStart(dataDir)).toBeLessThan(750)
  },
  120_000,
)
