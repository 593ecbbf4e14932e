// Time from `npm start` to the first answered page, embedded database: of a new site, and of one that has data.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#tests/helpers/postgres.ts'
import { compare, type Measure } from './report.ts'
import type { Stage } from './stage.ts'

const pollMs = 10
const newDatabase = `import { PGlite } from '@electric-sql/pglite'; await (await PGlite.create()).close()`

export async function benchStart({ scale, atEnd }: Stage): Promise<Measure[]> {
  const rounds: Record<'reference' | 'first' | 'second', number>[] = []
  for (let round = 0; round < Math.min(scale.rounds, 5); round++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'start-'))
    atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
    rounds.push({
      reference: await timeReference(),
      first: await timeStart(dataDir, atEnd),
      second: await timeStart(dataDir, atEnd),
    })
  }
  const measure = (name: string, figure: 'first' | 'second', atMost: number) =>
    compare({
      ...{
        name,
        unit: 's',
        reference: 'Node creates an empty PGlite database in memory',
        bar: { of: 'figure', atMost },
      },
      rounds: rounds.map((round) => ({ figure: round[figure], reference: round.reference })),
    })
  return [
    measure('First npm start, to the answered page', 'first', 6),
    measure('Second npm start, to the answered page', 'second', 3),
  ]
}

async function timeReference(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', newDatabase], { stdio: 'inherit' }), 'exit')
  return (performance.now() - startedAt) / 1000
}

async function timeStart(dataDir: string, atEnd: Stage['atEnd']): Promise<number> {
  const { PATH = '', HOME = '' } = process.env
  const port = await freePort()
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], {
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A process group of its own: npm does not pass signals on.
    detached: true,
  })
  const ended = once(npm, 'exit')
  let isRunning = true
  const stop = async () => {
    if (!isRunning) return
    isRunning = false
    // As Ctrl+C in a terminal does.
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    await ended
  }
  atEnd(stop)
  while (!(await isAnswered(`http://127.0.0.1:${port}/`))) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    await delay(pollMs)
  }
  const seconds = (performance.now() - startedAt) / 1000
  await stop()
  return seconds
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.text()
    return response.status === 200
  } catch {
    return false
  }
}
