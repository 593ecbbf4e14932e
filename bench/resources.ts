// Processor time and memory of processes, from /proc of Linux.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ticksPerSecond = 100

interface Process {
  parent: number
  /** Includes its children that have ended. */
  ticks: number
}

/** Processor time of a process and all its descendants. */
export function ticksOf(root: number): number {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const info = /^\d+$/.test(name) && readProcess(name)
    if (info) processes.set(Number(name), info)
  }
  const isOwn = (id: number): boolean => {
    const parent = processes.get(id)?.parent
    return id === root || (parent !== undefined && isOwn(parent))
  }
  return [...processes].reduce((sum, [id, { ticks }]) => (isOwn(id) ? sum + ticks : sum), 0)
}

export const microseconds = (ticks: number) => (ticks / ticksPerSecond) * 1_000_000

/** Current memory of a process, and its peak since the last reset. */
export function memoryOf(pid: number): { megabytes: number; maxMegabytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { megabytes: megabytes('VmRSS'), maxMegabytes: megabytes('VmHWM') }
}

/** Writing 5 to clear_refs resets the peak of the memory. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function readProcess(id: string): Process | undefined {
  try {
    // The name in brackets may contain any character. Only numbers follow it.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { parent: fields[1] ?? 0, ticks: user + system + endedUser + endedSystem }
  } catch {
    // The process ended while the list was read.
    return undefined
  }
}
