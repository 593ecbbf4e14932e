import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a tmpfs on the folder, as a disk that a test can fill. `size` has the syntax of tmpfs: 256k, 160m. */
export function mountSmallDisk(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder], { stdio: 'pipe' })
}

export function unmount(folder: string): void {
  // Killed processes may still hold files for a short time.
  execFileSync('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true, force: true })
}

/** Why mounting is impossible, or undefined. It needs root, and many containers forbid it even then. */
export const refusal = tryMount()

function tryMount(): string | undefined {
  if (process.platform !== 'linux') return 'the small disk that this test fills is made on Linux alone'
  if (process.getuid?.() !== 0) return 'only root may mount the small disk that this test fills'
  const folder = mkdtempSync(join(tmpdir(), 'mobiliza-disk-'))
  try {
    mountSmallDisk(folder, '1m')
    unmount(folder)
    return undefined
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return 'this system refuses to mount the small disk that this test fills'
  }
}
