// A backup file is whole or does not exist.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

/** Always the same rows, so that two files have the same size. */
const program = `
import { hash } from 'node:crypto'
import { writeBackup } from '#server/db/backup-file.ts'
async function* parts() {
  for (let n = 0; n < 2_000; n += 1) yield { row: JSON.stringify([hash('sha256', String(n))]) }
}
const [file, key] = process.argv.slice(1)
await writeBackup(file, parts(), { key }).then(console.log, ({ code }) => console.log(code))`

/** Beyond the limit, in blocks of 512 bytes, the system shortens a write and refuses the next one. */
async function write(limit: number | 'unlimited', file: string, key: string[]): Promise<string> {
  const node = [process.execPath, '--input-type=module', '-e', program, file, ...key]
  const { stdout } = await promisify(execFile)('sh', ['-c', `ulimit -f ${limit} && exec "$@"`, 'sh', ...node], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  return stdout.trim()
}

test.each([
  ['a plain backup', []],
  ['an encrypted backup', [Buffer.alloc(32, 'key').toString('base64')]],
])('%s whose last write is shortened is reported as failed, and deleted', async (_, key) => {
  const folder = temporaryFolder()
  const [whole, short] = [join(folder, 'inteira'), join(folder, 'cortada')]
  const size = Number(await write('unlimited', whole, key))

  expect(await write(Math.floor((size - 1) / 512), short, key)).toBe('EFBIG')
  expect([whole, short].map((file) => existsSync(file))).toEqual([true, false])
})
