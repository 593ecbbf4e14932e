import { readFileSync } from 'node:fs'
import { ticksOf } from './resources.ts'

interface Times {
  /** Ticks of all processors: busy, used by this process and its children, and in total. */
  busy: number
  own: number
  all: number
}

/**
 * Runs the work. `disturbance` is the share of the machine, 0 to 1, that other programs used meanwhile (Linux only).
 */
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
  return { busy, own: ticksOf(process.pid), all: busy + idle + wait + interrupts + packets }
}
