// Loaded into each thread of a process by --import: kills the process at a call of node:fs that changes files.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { KILL_CALL: name = '', KILL_FOLDER: folder = '', KILL_AT: number = '1' } = process.env
const real = fs[name]
let left = Number(number)

fs[name] = (...args) => {
  const [target] = args
  // Calls with a descriptor count whatever their folder is.
  if (typeof target === 'number' || target.startsWith(folder)) left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  return real(...args)
}
syncBuiltinESMExports()
