import { closeSync, fsyncSync, openSync } from 'node:fs'

/** For a folder: makes new, renamed and removed file names in it durable. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems do not support fsync of folders. PostgreSQL ignores this error too.
    if (!['EINVAL', 'EBADF'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(descriptor)
  }
}
