// Connections as the kernel knows them: also those that the process has closed and whose data the client has not taken.
import { readFileSync } from 'node:fs'

const listening = '0A'
const timeWait = '06'

export function connectionsTo(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
  const ours = lines.map((line) => line.trim().split(/\s+/)).filter(([, address]) => address?.endsWith(local))
  return ours.filter(([, , , state]) => state !== listening && state !== timeWait).length
}
