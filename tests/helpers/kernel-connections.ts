// Connections in the kernel's list. It includes connections that the process has closed while the client has not read
// all data.
import { readFileSync } from 'node:fs'

const listening = '0A'
const timeWait = '06'

export function connectionsTo(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
  const toPort = lines.map((line) => line.trim().split(/\s+/)).filter(([, address]) => address?.endsWith(local))
  return toPort.filter(([, , , state]) => state !== listening && state !== timeWait).length
}
