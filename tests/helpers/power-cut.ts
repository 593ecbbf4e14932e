// Computes what a power cut leaves on a disk, from the recording of a process (record-files.mjs).
//
// The model: fsync of a file makes its content durable, and the name under which it was created. fsync of a folder
// makes the names in it durable. Of other content, each 512-byte sector of each write may be on the disk or not. Of
// other name changes, the oldest ones are on the disk, any number of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '#tests/helpers/random.ts'

export interface Entry {
  op: 'start' | 'open' | 'close' | 'write' | 'truncate' | 'fsync' | 'rename' | 'remove' | 'mkdir'
  /** Nanoseconds of the monotonic clock, which all processes share. */
  at: number
  file: number
  path: string
  to: string
  position: number
  length: number
  truncates: boolean
  data: Buffer
}

interface File {
  content: Buffer
  unsynced: ContentChange[]
}
type ContentChange = { position: number; data: Buffer } | { length: number }

type Names = Map<string, File | 'folder'>
interface NameChange {
  op: 'add' | 'rename' | 'remove'
  path: string
  to?: string
  node?: File | 'folder' | undefined
}

export interface Disk {
  apply(entry: Entry): void
  /** Writes to the target a state that a power cut at this time could leave. */
  cut(target: string, random: Random): void
}

const sector = 512

export function readRecording(file: string): Entry[] {
  const log = readFileSync(file)
  const entries: Entry[] = []
  for (let start = 0; start < log.length; ) {
    const end = log.indexOf('\n', start)
    const { bytes, ...entry } = JSON.parse(log.toString('utf8', start, end))
    start = end + 1 + bytes
    entries.push({ ...entry, data: log.subarray(end + 1, start) })
  }
  return entries
}

export function emptyDisk(): Disk {
  const durable: Names = new Map([['', 'folder']])
  const current: Names = new Map(durable)
  const descriptors = new Map<number, { node: File | 'folder'; path: string }>()
  let unsynced: NameChange[] = []

  function changeName(change: NameChange): void {
    applyChange(current, change)
    unsynced.push(change)
  }

  /** Also makes the parent folders durable. */
  function makeDurable(isSynced: (change: NameChange) => boolean): void {
    const paths = new Set(
      unsynced.filter(isSynced).flatMap(({ path, to = path }) => [...parents(path), ...parents(to)]),
    )
    const isParent = (change: NameChange) => change.op === 'add' && change.node === 'folder' && paths.has(change.path)
    const synced = unsynced.filter((change) => isSynced(change) || isParent(change))
    const later = unsynced.filter((change) => !synced.includes(change))
    for (const change of synced) {
      applyChange(durable, change)
      // Unsynced changes inside a renamed folder now have its new path.
      if (change.op !== 'rename') continue
      for (const other of later) {
        other.path = renamed(other.path, change)
        if (other.to) other.to = renamed(other.to, change)
      }
    }
    unsynced = later
  }

  function open({ file, path, truncates }: Entry): void {
    if (!current.has(path)) changeName({ op: 'add', path, node: { content: Buffer.alloc(0), unsynced: [] } })
    const node = current.get(path) ?? 'folder'
    if (truncates && node !== 'folder') node.unsynced.push({ length: 0 })
    descriptors.set(file, { node, path })
  }

  function sync(file: number): void {
    const { node, path } = opened(file)
    if (node === 'folder') {
      makeDurable((change) => dirnameOf(change.path) === path || dirnameOf(change.to ?? change.path) === path)
      return
    }
    node.content = withChanges(node, () => true)
    node.unsynced = []
    makeDurable((change) => change.op === 'add' && change.node === node)
  }

  function opened(file: number): { node: File | 'folder'; path: string } {
    const found = descriptors.get(file)
    if (!found) throw new Error(`unknown descriptor ${file}`)
    return found
  }
  function changeContent(file: number, change: ContentChange): void {
    const { node } = opened(file)
    if (node !== 'folder') node.unsynced.push(change)
  }

  return {
    apply(entry) {
      const { op, file, path, to, position, length, data } = entry
      if (op === 'start') descriptors.clear()
      if (op === 'open') open(entry)
      if (op === 'close') descriptors.delete(file)
      if (op === 'write') changeContent(file, { position, data })
      if (op === 'truncate') changeContent(file, { length })
      if (op === 'fsync') sync(file)
      if (op === 'rename') changeName({ op, path, to, node: current.get(path) })
      if (op === 'remove' && current.has(path)) changeName({ op, path })
      if (op === 'mkdir') {
        for (const folder of [...parents(path), path].filter((folder) => !current.has(folder)))
          changeName({ op: 'add', path: folder, node: 'folder' })
      }
    },
    cut(target, random) {
      const names: Names = new Map(durable)
      const kept = oneOf(random, [0, unsynced.length, random.between(0, unsynced.length)])
      for (const change of unsynced.slice(0, kept)) applyChange(names, change)
      const percent = oneOf(random, [0, 100, random.between(1, 99)])
      mkdirSync(target, { recursive: true })
      for (const [path, node] of [...names].sort()) {
        if (node === 'folder') mkdirSync(join(target, path), { recursive: true })
        else
          writeFileSync(
            join(target, path),
            withChanges(node, () => random.between(1, 100) <= percent),
          )
      }
    },
  }
}

function oneOf<T>(random: Random, values: T[]): T {
  return values[random.between(0, values.length - 1)] as T
}

/** 'a/b/c' has the parents 'a' and 'a/b'. */
function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function dirnameOf(path: string): string {
  const folder = dirname(path)
  return folder === '.' ? '' : folder
}

function renamed(path: string, { path: from, to = '' }: NameChange): string {
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : path
}

function applyChange(names: Names, { op, path, to = '', node }: NameChange): void {
  if (op === 'add') names.set(path, node ?? 'folder')
  else {
    names.delete(path)
    for (const [inside, content] of [...names].filter(([other]) => other.startsWith(`${path}/`))) {
      names.delete(inside)
      if (op === 'rename') names.set(renamed(inside, { op, path, to }), content)
    }
    if (op === 'rename' && node) names.set(to, node)
  }
}

/** The content with those unsynced sectors for which `isWritten` is true. */
function withChanges({ content, unsynced }: File, isWritten: () => boolean): Buffer {
  if (unsynced.length === 0) return content
  const ends = unsynced.map((change) => ('length' in change ? change.length : change.position + change.data.length))
  const result = Buffer.alloc(Math.max(content.length, ...ends))
  content.copy(result)
  let { length } = content
  for (const change of unsynced) {
    if ('length' in change) {
      if (!isWritten()) continue
      if (change.length < length) result.fill(0, change.length, length)
      length = change.length
      continue
    }
    const { position, data } = change
    for (let start = 0, end = 0; start < data.length; start = end) {
      end = Math.min(data.length, start + sector - ((position + start) % sector))
      if (!isWritten()) continue
      data.copy(result, position + start, start, end)
      length = Math.max(length, position + end)
    }
  }
  return result.subarray(0, length)
}
