// Power cuts of the embedded engine: unsynced data may be lost, acknowledged data may not.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { connectTo, fill } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { type Entry, emptyDisk, readRecording } from '#tests/helpers/power-cut.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { everyForm, startSigners } from '#tests/helpers/signers.ts'

const recorder = new URL('../helpers/record-files.mjs', import.meta.url).href

interface Phase {
  name: string
  until: number
}

test('a power cut at any time loses nothing that was acknowledged, and the database opens', {
  timeout: size.testTimeoutMs * 2,
}, async () => {
  const random = seededRandom('power cuts')
  const { entries, phases, acknowledged, figures } = await recordServer()

  const disk = emptyDisk()
  const points = choosePoints(entries, phases)
  const cuts: Record<string, number> = {}
  for (const [index, entry] of entries.entries()) {
    disk.apply(entry)
    const phase = points.get(index)
    if (!phase) continue
    const dataDir = memoryFolder()
    disk.cut(dataDir, random)
    // This state lasts until the next change. Everything that was acknowledged before that must be in it.
    const until = entries[index + 1]?.at ?? Number.POSITIVE_INFINITY
    const acknowledgedSoFar = new Map(
      [...acknowledged].filter(([, { at }]) => at < until).map(([email, { requestId }]) => [email, requestId]),
    )
    if (acknowledgedSoFar.size === 0) await fill({ dataDir })
    const { unacknowledged: _, ...audit } = await auditData({ dataDir }, acknowledgedSoFar)
    const { unacknowledged: __, ...expected } = noViolations
    expect(audit, `cut after change ${index}, while ${phase}, ${acknowledgedSoFar.size} acknowledged`).toEqual(expected)
    rmSync(dataDir, { recursive: true })
    cuts[phase] = (cuts[phase] ?? 0) + 1
  }
  reportResult({
    test: 'power cuts of the embedded engine',
    ...figures,
    notes: JSON.stringify({ changes: entries.length, cuts }),
  })
  expect(Object.keys(cuts).sort()).toEqual(phases.map(({ name }) => name).sort())

  function choosePoints(all: Entry[], within: Phase[]): Map<number, string> {
    const cutPoints = new Map<number, string>()
    let first = 0
    for (const { name, until } of within) {
      const next = all.findIndex(({ at }) => at > until)
      const last = (next < 0 ? all.length : next) - 1
      for (let count = 0; count < size.powerCuts / within.length; ) {
        const index = random.between(first, last)
        if (cutPoints.has(index)) continue
        cutPoints.set(index, name)
        count++
      }
      first = last + 1
    }
    return cutPoints
  }
})

/** Records a new site while clients sign: before, during and after a checkpoint, and after a kill and its recovery. */
async function recordServer() {
  const [dataDir, recordingFolder] = [temporaryFolder(), temporaryFolder()]
  onTestFinished(() => {
    for (const folder of [dataDir, recordingFolder]) rmSync(folder, { recursive: true, force: true })
  })
  const recording = join(recordingFolder, 'changes')
  const env = { NODE_OPTIONS: `--import=${recorder}`, RECORDED_FOLDER: dataDir, RECORDING: recording }
  const now = () => Number(process.hrtime.bigint())
  const phases: Phase[] = []
  const acknowledged = new Map<string, { requestId: string; at: number }>()

  let server = await startServer({ dataDir, env })
  onTestFinished(() => server.kill())
  phases.push({ name: 'creating', until: now() })
  const signers = startSigners({
    url: server.url,
    paths: everyForm,
    otherwise: 'retry',
    onAcknowledged: (email, requestId) => acknowledged.set(email, { requestId, at: now() }),
  })
  const client = await connectTo(dataDir)
  await signers.more(size.signedBetween)
  phases.push({ name: 'signing', until: now() })
  await client.query('checkpoint')
  // The next WAL file is one that the checkpoint renamed.
  await client.query('select pg_switch_wal()')
  await signers.more(size.signedBetween)
  await client.query('checkpoint')
  phases.push({ name: 'checkpoints', until: now() })
  await signers.more(size.signedBetween)
  await server.kill()
  server = await startServer({ dataDir, env, port: server.port })
  phases.push({ name: 'recovery', until: now() })
  await signers.more(size.signedBetween)
  await signers.stop()
  await server.stop()
  phases.push({ name: 'shutdown', until: now() })
  await client.end().catch(() => {})
  return { entries: readRecording(recording), phases, acknowledged, figures: figuresOf(signers) }
}
