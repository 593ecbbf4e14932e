import { fsyncSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** PGlite disables fsync with `-F`. Its `fdatasync`, the default for the WAL, does nothing. */
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']

/** Opens PGlite with a real fsync, so that committed data survives a power cut. */
export function openPGlite(folder: string): Promise<PGlite> {
  return PGlite.create({ fs: new SyncedNodeFS(folder), startParams })
}

/** The parts of Emscripten's file layer that are missing in the types of PGlite. */
interface NodeFileLayer {
  stream_ops: { fsync?(stream: { nfd: number }): number }
  /** Converts an error of Node into the error code that PostgreSQL expects. */
  tryFSOperation<T>(operation: () => T): T
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
  layer.stream_ops.fsync = ({ nfd }) => {
    layer.tryFSOperation(() => fsyncSync(nfd))
    return 0
  }
}
