// Backup and restore of a million signatures on PostgreSQL, against pg_dump and pg_restore.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compare, type Measure } from './report.ts'
import type { Stage } from './stage.ts'
import { storeSignatures } from './stored-signatures.ts'

const run = promisify(execFile)
const rounds = 3

export async function benchBackup(stage: Stage): Promise<Measure[]> {
  const rows = stage.scale.sizes.some
  const source = await stage.createDatabase('backup')
  await storeSignatures(source.client, rows)
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  stage.atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const [own, theirs] = [join(folder, 'own.mobiliza'), join(folder, 'theirs.dump')]

  /** Rows a second. */
  async function timed(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
    const startedAt = performance.now()
    await run(command, args, { env: { ...process.env, DATA_DIR: folder, ...env } })
    return rows / ((performance.now() - startedAt) / 1000)
  }
  const ours = (entry: string, args: string[], url: string) =>
    timed(process.execPath, [`src/server/${entry}`, ...args], { DATABASE_URL: url })

  const written = []
  for (let round = 0; round < rounds; round++) {
    for (const file of [own, theirs]) rmSync(file, { force: true })
    const figure = await ours('backup.ts', [own], source.url)
    const reference = await timed('pg_dump', ['-Fc', '-f', theirs, source.url])
    written.push({ figure, reference })
  }
  const read = []
  for (let round = 0; round < rounds; round++) {
    const urls = {
      own: await stage.cluster.createDatabase(`own-${round}`),
      theirs: await stage.cluster.createDatabase(`theirs-${round}`),
    }
    const figure = await ours('restore.ts', [own], urls.own)
    const reference = await timed('pg_restore', ['--no-owner', '-d', urls.theirs, theirs])
    read.push({ figure, reference })
  }
  const megabytes = (file: string) => statSync(file).size / 2 ** 20
  return [
    compare({ name: 'Backup, rows written', unit: '/s', reference: 'pg_dump', rounds: written }),
    compare({ name: 'Restore, rows read', unit: '/s', reference: 'pg_restore', rounds: read }),
    compare({
      ...{ name: 'Backup, size of the file', unit: ' MB', reference: 'pg_dump' },
      rounds: [{ figure: megabytes(own), reference: megabytes(theirs) }],
    }),
  ]
}
