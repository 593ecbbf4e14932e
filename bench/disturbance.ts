// How much of the machine other programs took while something was measured: without it a figure cannot be trusted.
import { readdirSync, readFileSync } from 'node:fs'

interface Times {
  /** Ticks of all processors: spent, and spent by this process and those it started. */
  busy: number
  own: number
  all: number
}

/** Does the work; answers with its result and the share of the machine, 0 to 1, that others took meanwhile (known on Linux only). */
export async function withDisturbance<T>(work: () => Promise<T>): Promise<{ result: T; disturbance?: number }> {
  if (process.platform !== 'linux') return { result: await work() }
  const before = readTimes()
  const result = await work()
  const after = readTimes()
  const spent = (key: keyof Times) => after[key] - before[key]
  return { result, disturbance: Math.max(0, (spent('busy') - spent('own')) / spent('all')) }
}

function readTimes(): Times {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, ...rest] = line.split(/ +/).slice(1, 9).map(Number)
  const [idle = 0, wait = 0, interrupts = 0, packets = 0, stolen = 0] = rest
  const busy = user + nice + system + stolen
  return { busy, own: ownTicks(), all: busy + idle + wait + interrupts + packets }
}

interface Process {
  parent: number
  /** Its own and those of its children that have ended. */
  ticks: number
}

function ownTicks(): number {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const known = /^\d+$/.test(name) && readProcess(name)
    if (known) processes.set(Number(name), known)
  }
  const isOwn = (id: number): boolean => {
    const parent = processes.get(id)?.parent
    return id === process.pid || (parent !== undefined && isOwn(parent))
  }
  return [...processes].reduce((sum, [id, { ticks }]) => (isOwn(id) ? sum + ticks : sum), 0)
}

function readProcess(id: string): Process | undefined {
  try {
    // The name in brackets may hold anything; what follows is numbers.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { parent: fields[1] ?? 0, ticks: user + system + endedUser + endedSystem }
  } catch {
    // It ended while the list was read.
    return undefined
  }
}
