// What is left on a disk after a power cut, worked out from a recording of a process (record-files.mjs).
//
// The model: fsync of a file makes its content durable, and its name as it was created. fsync of a folder makes the
// names in it durable. Of all other content, any 512-byte sector of any write may or may not be there; of all other
// changes of names, any number from the oldest on.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Chance } from '#tests/helpers/chance.ts'

export interface Entry {
  op: 'start' | 'open' | 'close' | 'write' | 'truncate' | 'fsync' | 'rename' | 'remove' | 'mkdir'
  /** Nanoseconds of the clock that all processes share. */
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
  /** Writes to the target what a power cut at this moment could leave. */
  cut(target: string, moments: Chance): void
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

  function change(made: NameChange): void {
    applyChange(current, made)
    unsynced.push(made)
  }

  /** Also makes the folders durable that lead to it. */
  function makeDurable(chosen: (change: NameChange) => boolean): void {
    const paths = new Set(unsynced.filter(chosen).flatMap(({ path, to = path }) => [...parents(path), ...parents(to)]))
    const isFirst = (made: NameChange) => made.op === 'add' && made.node === 'folder' && paths.has(made.path)
    const now = unsynced.filter((made) => chosen(made) || isFirst(made))
    const later = unsynced.filter((made) => !now.includes(made))
    for (const made of now) {
      applyChange(durable, made)
      // What is still unsynced in a renamed folder is now found under its new name.
      if (made.op !== 'rename') continue
      for (const other of later) {
        other.path = renamed(other.path, made)
        if (other.to) other.to = renamed(other.to, made)
      }
    }
    unsynced = later
  }

  function open({ file, path, truncates }: Entry): void {
    if (!current.has(path)) change({ op: 'add', path, node: { content: Buffer.alloc(0), unsynced: [] } })
    const node = current.get(path) ?? 'folder'
    if (truncates && node !== 'folder') node.unsynced.push({ length: 0 })
    descriptors.set(file, { node, path })
  }

  function sync(file: number): void {
    const { node, path } = opened(file)
    if (node === 'folder') {
      makeDurable((made) => dirnameOf(made.path) === path || dirnameOf(made.to ?? made.path) === path)
      return
    }
    node.content = withChanges(node, () => true)
    node.unsynced = []
    makeDurable((made) => made.op === 'add' && made.node === node)
  }

  function opened(file: number): { node: File | 'folder'; path: string } {
    const found = descriptors.get(file)
    if (!found) throw new Error(`unknown descriptor ${file}`)
    return found
  }
  function changeContent(file: number, made: ContentChange): void {
    const { node } = opened(file)
    if (node !== 'folder') node.unsynced.push(made)
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
      if (op === 'rename') change({ op, path, to, node: current.get(path) })
      if (op === 'remove' && current.has(path)) change({ op, path })
      if (op === 'mkdir') {
        for (const folder of [...parents(path), path].filter((folder) => !current.has(folder)))
          change({ op: 'add', path: folder, node: 'folder' })
      }
    },
    cut(target, moments) {
      const names: Names = new Map(durable)
      const kept = oneOf(moments, [0, unsynced.length, moments.between(0, unsynced.length)])
      for (const made of unsynced.slice(0, kept)) applyChange(names, made)
      const percent = oneOf(moments, [0, 100, moments.between(1, 99)])
      mkdirSync(target, { recursive: true })
      for (const [path, node] of [...names].sort()) {
        if (node === 'folder') mkdirSync(join(target, path), { recursive: true })
        else
          writeFileSync(
            join(target, path),
            withChanges(node, () => moments.between(1, 100) <= percent),
          )
      }
    },
  }
}

function oneOf<T>(moments: Chance, values: T[]): T {
  return values[moments.between(0, values.length - 1)] as T
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

/** The content after those of its unsynced sectors that were written. */
function withChanges({ content, unsynced }: File, isWritten: () => boolean): Buffer {
  if (unsynced.length === 0) return content
  const ends = unsynced.map((made) => ('length' in made ? made.length : made.position + made.data.length))
  const result = Buffer.alloc(Math.max(content.length, ...ends))
  content.copy(result)
  let { length } = content
  for (const made of unsynced) {
    if ('length' in made) {
      if (!isWritten()) continue
      if (made.length < length) result.fill(0, made.length, length)
      length = made.length
      continue
    }
    const { position, data } = made
    for (let start = 0, end = 0; start < data.length; start = end) {
      end = Math.min(data.length, start + sector - ((position + start) % sector))
      if (!isWritten()) continue
      data.copy(result, position + start, start, end)
      length = Math.max(length, position + end)
    }
  }
  return result.subarray(0, length)
}
