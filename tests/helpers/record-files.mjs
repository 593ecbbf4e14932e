// Loaded by --import into each thread of a server process. Writes every change of files in RECORDED_FOLDER, in order,
// to RECORDING. A record is a line of JSON, followed by the written bytes.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative, resolve } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const { RECORDED_FOLDER: folder = '', RECORDING: recording = '' } = process.env
const real = { ...fs }
const output = real.openSync(recording, 'a')
const recorded = new Set()

function record(entry, data = Buffer.alloc(0)) {
  const line = JSON.stringify({ ...entry, at: Number(process.hrtime.bigint()), bytes: data.byteLength })
  real.writeSync(output, Buffer.concat([Buffer.from(`${line}\n`), data]))
}

/** Undefined when the path is outside of the folder. */
function inFolder(path) {
  if (typeof path !== 'string') return undefined
  const inside = relative(folder, resolve(path))
  return inside.startsWith('..') ? undefined : inside
}

if (isMainThread) record({ op: 'start' })

fs.openSync = (path, flags = 'r', mode) => {
  const descriptor = real.openSync(path, flags, mode)
  const inside = inFolder(path)
  if (inside !== undefined) {
    recorded.add(descriptor)
    const truncates = typeof flags === 'number' ? (flags & real.constants.O_TRUNC) !== 0 : flags.startsWith('w')
    record({ op: 'open', file: descriptor, path: inside, truncates })
  }
  return descriptor
}

fs.closeSync = (descriptor) => {
  if (recorded.delete(descriptor)) record({ op: 'close', file: descriptor })
  return real.closeSync(descriptor)
}

fs.writeSync = (descriptor, buffer, offset, length, position) => {
  const written = real.writeSync(descriptor, buffer, offset, length, position)
  if (recorded.has(descriptor)) {
    if (typeof position !== 'number') throw new Error('a write without a position cannot be recorded')
    const data = Buffer.from(buffer.buffer, buffer.byteOffset + offset, written)
    record({ op: 'write', file: descriptor, position }, data)
  }
  return written
}

fs.ftruncateSync = (descriptor, length = 0) => {
  real.ftruncateSync(descriptor, length)
  if (recorded.has(descriptor)) record({ op: 'truncate', file: descriptor, length })
}

fs.truncateSync = (path, length = 0) => {
  const descriptor = fs.openSync(path, 'r+')
  try {
    fs.ftruncateSync(descriptor, length)
  } finally {
    fs.closeSync(descriptor)
  }
}

// Recorded after the call: the data is durable only when fsync has returned.
fs.fsyncSync = (descriptor) => {
  real.fsyncSync(descriptor)
  if (recorded.has(descriptor)) record({ op: 'fsync', file: descriptor })
}

// The server does not use these functions today. An unrecorded use would make the result wrong, so it throws.
for (const name of [
  'writevSync',
  'fdatasyncSync',
  'linkSync',
  'symlinkSync',
  'cpSync',
  'copyFileSync',
  'appendFileSync',
])
  fs[name] = (...values) => {
    if (values.some((value) => recorded.has(value) || inFolder(value) !== undefined))
      throw new Error(`${name} cannot be recorded`)
    return real[name](...values)
  }

fs.writeFileSync = (path, data, options) => {
  if (inFolder(path) === undefined) return real.writeFileSync(path, data, options)
  const descriptor = fs.openSync(path, 'w', options?.mode)
  try {
    const bytes = Buffer.from(data)
    fs.writeSync(descriptor, bytes, 0, bytes.byteLength, 0)
    if (options?.flush) fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

fs.renameSync = (from, to) => {
  real.renameSync(from, to)
  if (inFolder(from) !== undefined) record({ op: 'rename', path: inFolder(from), to: inFolder(to) })
}

for (const [name, op] of [
  ['unlinkSync', 'remove'],
  ['rmdirSync', 'remove'],
  ['rmSync', 'remove'],
  ['mkdirSync', 'mkdir'],
])
  fs[name] = (path, options) => {
    const result = real[name](path, options)
    if (inFolder(path) !== undefined) record({ op, path: inFolder(path) })
    return result
  }

syncBuiltinESMExports()
