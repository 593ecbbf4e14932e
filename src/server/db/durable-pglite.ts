// PGlite with a real fsync, so that committed data survives a power cut.
import { fsyncSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from '#server/core/sync-path.ts'

/** PGlite turns fsync off with `-F`, and its `fdatasync`, the default for the WAL, does nothing. */
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']

export function openPGlite(folder: string): Promise<PGlite> {
  return PGlite.create({ fs: new SyncedNodeFS(folder), startParams })
}

/** What PGlite's types leave out of Emscripten's file layer. */
interface NodeFileLayer {
  stream_ops: { fsync?(stream: OpenStream): number }
  realPath(node: unknown): string
  /** Turns an error of Node into the error code that PostgreSQL expects. */
  tryFSOperation<T>(operation: () => T): T
}

interface OpenStream {
  node: unknown
  /** Directories have none. */
  nfd?: number
}

class SyncedNodeFS extends NodeFS {
  override async init(...options: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...options)
    // Runs before PostgreSQL starts: recovery needs fsync as well.
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...[emscriptenOpts.preRun ?? []].flat(), addFsync] } }
  }
}

function addFsync({ FS }: PGlite['Module']): void {
  const layer = FS.filesystems.NODEFS as unknown as NodeFileLayer
  layer.stream_ops.fsync = ({ node, nfd }) =>
    layer.tryFSOperation(() => {
      if (nfd === undefined) syncPath(layer.realPath(node))
      else fsyncSync(nfd)
      return 0
    })
}
