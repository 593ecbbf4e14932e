// Temporary folders in memory, for data that no test has to find again after a crash: a database is copied there in a tenth of the time.
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps this folder in memory. Containers may give it very little. */
const inMemory = '/dev/shm'
const leastFree = 2 ** 30
const prefix = 'mobiliza-test-'

let place: string | undefined

export function memoryFolder(): string {
  place ??= choosePlace()
  return mkdtempSync(join(place, `${prefix}${process.pid}-`))
}

function choosePlace(): string {
  if (!existsSync(inMemory)) return tmpdir()
  try {
    removeLeftOvers()
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= leastFree ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** What a run that was killed has left would fill the memory until the next start of the machine. */
function removeLeftOvers(): void {
  for (const name of readdirSync(inMemory)) {
    const [, pid] = name.match(`^${prefix}(\\d+)-`) ?? []
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(inMemory, name), { recursive: true, force: true })
  }
}
