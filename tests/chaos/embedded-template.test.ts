// A new site copies a prepared database: the result is the same as without it, also after kills.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { templateFolder } from '#server/db/embedded-template.ts'
import type { Engine } from '#server/db/engine.ts'
import { migrateDatabase, migrationsFolder } from '#server/db/migrate.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

const killer = new URL('../helpers/kill-at-call.mjs', import.meta.url).href
const missing = '/no-template'
const quiet = '--disable-warning=ExperimentalWarning'

beforeAll(() => {
  execFileSync(process.execPath, [quiet, 'scripts/embedded-template.ts'])
})

function newFolder(): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the engine, with or without the migrations of a start, and reads the structure of its database. */
async function structureOf(dataDir: string, options: { template?: string; migrate: boolean }) {
  const embedded = await startEmbedded(dataDir, options)
  const { connection } = embedded
  if (options.migrate) {
    const engine: Engine = {
      kind: 'embedded',
      pool: connection,
      direct: connection,
      namedStatements: false,
      ...embedded,
    }
    await migrateDatabase(engine, async () => {})
  }
  const client = new pg.Client(connection)
  await client.connect()
  const list = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows
  const ours = `relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle'))`
  const structure = {
    relations: await list(`select relname, relkind from pg_class where ${ours} order by 1`),
    columns: await list(`select relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attcollation,
      attidentity, pg_get_expr(adbin, adrelid) from pg_attribute join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum where ${ours} and attnum > 0 order by 1, 2`),
    indexes: await list(`select pg_get_indexdef(indexrelid), indisvalid from pg_index
      join pg_class on pg_class.oid = indexrelid where ${ours} order by 1`),
    constraints: await list(`select relname, conname, pg_get_constraintdef(pg_constraint.oid) from pg_constraint
      join pg_class on pg_class.oid = conrelid where ${ours} order by 1, 2`),
    triggers: await list(`select relname, pg_get_triggerdef(pg_trigger.oid) from pg_trigger
      join pg_class on pg_class.oid = tgrelid where ${ours} and not tgisinternal order by 1, 2`),
    functions: await list(`select pg_get_functiondef(oid) from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f' order by 1`),
    settings: await list(`select name, setting from pg_settings where source <> 'default'
      and name not in ('data_directory', 'config_file', 'hba_file', 'ident_file') order by 1`),
  }
  await client.end()
  await embedded.stop()
  return structure
}

test('a database from the template has the same structure as a migrated new one, and no migration is left', async () => {
  const copied = await structureOf(newFolder(), { migrate: false })
  const created = await structureOf(newFolder(), { template: missing, migrate: true })

  expect(copied.relations.length).toBeGreaterThan(40)
  expect(copied).toEqual(created)
})

test('the template contains no rows and no files but those of the database', async () => {
  const embedded = await startEmbedded(newFolder())
  const client = new pg.Client(embedded.connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const filled = []
  for (const { name } of rows) if ((await client.query(`select from "${name}" limit 1`)).rowCount) filled.push(name)
  await client.end()
  await embedded.stop()

  expect(filled).toEqual([])
  expect(readdirSync(templateFolder())).toContain('PG_VERSION')
  expect(readdirSync(templateFolder()).filter((name) => /sqlite|segredos|soquete/.test(name))).toEqual([])
})

describe('the name of the template', () => {
  test('changes with a migration and with the version of PGlite, so that an old template is not used', async () => {
    const folder = newFolder()
    const [migrations, manifest] = [join(folder, 'migrations'), join(folder, 'package.json')]
    cpSync(migrationsFolder, migrations, { recursive: true })
    const same = templateFolder({ migrationsFolder: migrations })
    appendFileSync(join(migrations, '0000_foundation.sql'), '\n')
    writeFileSync(manifest, JSON.stringify({ version: '999.0.0' }))
    const others = [templateFolder({ migrationsFolder: migrations }), templateFolder({ pgliteManifest: manifest })]

    expect(same).toBe(templateFolder())
    expect(new Set([same, ...others]).size).toBe(3)
    expect(others.map((path) => existsSync(path))).toEqual([false, false])
  })
})

describe('a new database whose creation is killed', () => {
  test.each<[string, { KILL_CALL: string; KILL_AT?: string; template?: string }]>([
    ['before the first file is copied', { KILL_CALL: 'mkdirSync', KILL_AT: '2' }],
    ['while files are copied', { KILL_CALL: 'writeFileSync', KILL_AT: '500' }],
    ['while the copies are synced', { KILL_CALL: 'fsyncSync', KILL_AT: '500' }],
    ['before the folder gets its name', { KILL_CALL: 'renameSync' }],
    ['while PGlite writes the files of initdb', { KILL_CALL: 'writeSync', KILL_AT: '300', template: missing }],
  ])('is created again: %s', async (_, { template = templateFolder(), ...kill }) => {
    const dataDir = newFolder()
    const program = `import { startEmbedded } from '#server/db/embedded.ts'
      await startEmbedded(${JSON.stringify(dataDir)}, { template: ${JSON.stringify(template)} })`
    const child = spawn(process.execPath, [quiet, '-e', program], {
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: `--import=${killer}`,
        KILL_FOLDER: join(dataDir, 'banco.novo'),
        ...kill,
      },
      stdio: 'inherit',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(readdirSync(dataDir)).toContain('banco.novo')
    expect(readdirSync(dataDir)).not.toContain('banco')

    const { relations } = await structureOf(dataDir, { template, migrate: true })

    expect(relations.length).toBeGreaterThan(40)
    expect(readdirSync(dataDir)).toContain('banco')
    expect(readdirSync(dataDir)).not.toContain('banco.novo')
  })
})
