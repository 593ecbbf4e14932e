// What processes take of the machine, as Linux tells it: processor time and memory.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ticksPerSecond = 100

interface Process {
  parent: number
  /** Its own and those of its children that have ended. */
  ticks: number
}

/** Processor time of a process and of all that it started. */
export function ticksOf(root: number): number {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const known = /^\d+$/.test(name) && readProcess(name)
    if (known) processes.set(Number(name), known)
  }
  const isOwn = (id: number): boolean => {
    const parent = processes.get(id)?.parent
    return id === root || (parent !== undefined && isOwn(parent))
  }
  return [...processes].reduce((sum, [id, { ticks }]) => (isOwn(id) ? sum + ticks : sum), 0)
}

export const microseconds = (ticks: number) => (ticks / ticksPerSecond) * 1_000_000

/** Memory that a process has now, and the most it had since that was last forgotten. */
export function memoryOf(pid: number): { megabytes: number; mostMegabytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { megabytes: megabytes('VmRSS'), mostMegabytes: megabytes('VmHWM') }
}

/** What Linux calls it: 5 stands for the peak. */
export function forgetMostMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
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
