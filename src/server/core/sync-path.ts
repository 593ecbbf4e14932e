// fsync of a path.
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Of a folder, this makes the names in it durable: new, renamed and removed files. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems know no fsync of folders. PostgreSQL ignores that too.
    if (!['EINVAL', 'EBADF'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(descriptor)
  }
}
