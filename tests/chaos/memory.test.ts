// A site with the embedded database has to live on a rented server of one gigabyte, beside the system.
import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '#tests/helpers/server-process.ts'
import { memoryOf } from '../../bench/resources.ts'

test.runIf(process.platform === 'linux')(
  'the first start, which makes the database and draws the posters, and every later one fit in',
  async () => {
    const first = await startServer()
    onTestFinished(() => rmSync(first.dataDir, { recursive: true, force: true }))
    const atFirst = memoryOf(first.process.pid ?? 0)
    await first.stop()
    const second = await startServer({ dataDir: first.dataDir })
    const later = memoryOf(second.process.pid ?? 0)
    await second.stop()

    // Seen: 830 and 540 at most. On Node 24 the compiler alone took 1,200 for one function of the engine.
    expect(atFirst.mostMegabytes).toBeLessThan(950)
    expect(later.mostMegabytes).toBeLessThan(750)
  },
  120_000,
)
