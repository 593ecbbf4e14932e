import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps this folder in memory. Containers may limit it to very little. */
const inMemory = '/dev/shm'
const minFreeBytes = 2 ** 30
const prefix = 'mobiliza-test-'

let parentFolder: string | undefined

/**
 * A temporary folder in memory, for data that no test reads after a crash of the machine. Copying a database there takes
 * a tenth of the time.
 */
export function memoryFolder(): string {
  parentFolder ??= chooseParentFolder()
  return mkdtempSync(join(parentFolder, `${prefix}${process.pid}-`))
}

function chooseParentFolder(): string {
  if (!existsSync(inMemory)) return tmpdir()
  try {
    removeLeftovers()
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= minFreeBytes ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Removes folders of killed runs, which would occupy memory until the machine restarts. */
function removeLeftovers(): void {
  for (const name of readdirSync(inMemory)) {
    const [, pid] = name.match(`^${prefix}(\\d+)-`) ?? []
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(inMemory, name), { recursive: true, force: true })
  }
}
