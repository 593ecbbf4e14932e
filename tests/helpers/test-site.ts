// A site for one test file, in this process, with the database engine of the run. `close` checks its log.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { AppOptions } from '#server/app.ts'
import type { Config } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { retry } from '#server/core/retry.ts'
import { readAddressKey } from '#server/db/address-key.ts'
import { bindAddressKey } from '#server/db/bind-address-key.ts'
import { isTransient } from '#server/db/database.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import { runSql } from '#server/db/run-sql.ts'
import type { App } from '#server/http/mount.ts'
import type { Deliveries, DeliveryOptions } from '#server/outbox/deliveries.ts'
import { startServer } from '#server/server-process.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import { personalStrings } from '#tests/helpers/factories.ts'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { testConfig } from '#tests/helpers/template.ts'

export interface TestSite {
  app: App
  engine: Engine
  deliveries: Deliveries
  url: string
  dataDir: string
  addressKey: Buffer
  /** Statements may use `hmacSql`. */
  rows<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Deletes everything that people sent. Campaigns and contents stay. */
  empty(): Promise<void>
  /** The log lines so far. */
  logged(): string[]
  /** Stops the site. Fails if its log has an error or personal data. */
  close(): Promise<void>
}

// While a process holds the compiled module, a new instance reuses its machine code.
const engineFile = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
const compiledEngine = WebAssembly.compile(readFileSync(engineFile))

interface TestDatabase {
  env: Record<string, string>
  remove(): Promise<void>
}

async function createOwnDatabase(): Promise<TestDatabase> {
  const source = inject('source')
  const folder = memoryFolder()
  const remove = async () => rmSync(folder, { recursive: true, force: true })
  if (source.kind === 'embedded') {
    cpSync(source.folder, folder, { recursive: true })
    return { env: { DATA_DIR: folder }, remove }
  }
  const name = `teste_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  await client.query(`create database ${name} template modelo`)
  await client.end()
  const url = source.url.replace(/\/postgres$/, `/${name}`)
  return { env: { DATABASE_URL: url, DATA_DIR: folder }, remove }
}

async function keyOf(engine: Engine, config: Config): Promise<Buffer> {
  const client = new pg.Client(engine.direct)
  await client.connect()
  const key = await readAddressKey(runSql(client), config)
  await client.end()
  if (!key) throw new Error('The site has no address key.')
  return key
}

export interface TestSiteParts {
  /** Without this, nothing is delivered, and tests can inspect the queue. */
  deliveries?: DeliveryOptions
  /** Shorter than in production. */
  periods?: Pick<AppOptions, 'refreshMs' | 'breakdownPauseMs' | 'now' | 'scheduleMs'>
}

export async function openTestSite(
  env: Record<string, string> = {},
  { deliveries, periods }: TestSiteParts = {},
): Promise<TestSite> {
  await compiledEngine
  const ownDatabase = await createOwnDatabase()
  const config = testConfig({ ...ownDatabase.env, ...env })
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => lines.push(line) })
  const engine = await openEngine(config)
  const node = await startServer({
    config,
    engine,
    log,
    renderer: await openBuild(),
    deliveries: deliveries ?? 'off',
    ...periods,
  })
  const addressKey = await keyOf(engine, config)
  // Not the pool of the site: on a busy machine a test may need longer to store its rows than a request may take.
  const pool = new pg.Pool(engine.pool)
  pool.on('error', () => {})
  const rows: TestSite['rows'] = async (text, values = []) => (await pool.query(text, values)).rows
  pool.on('connect', (client) => bindAddressKey(client, addressKey))
  return {
    app: node.app,
    engine,
    deliveries: node.deliveries,
    url: `http://127.0.0.1:${node.port}`,
    dataDir: config.dataDir,
    addressKey,
    rows,
    async empty() {
      const tables =
        `peticoes peticoes_por_hora signature_count_changes signature_totals outbox contacts influenciadores lideres bot_conversas bot_mensagens
        admin_actions destinos enderecos emails_por_endereco email_tokens contadores removed_requests erased_people erased_signature_cities erased_signature_origins
        people_workflow people_notes saved_filters imports import_rejections site_settings
        news news_sends news_recipients news_segments news_opt_outs`.split(/\s+/)
      // Equivalent to truncate but much faster: truncate creates new files for every table and index.
      const deleteAll = `do $$ begin lock table ${tables.join(', ')}; set local session_replication_role = replica;
        ${tables.map((table) => `delete from ${table};`).join(' ')} end $$`
      // A worker that still delivers for the previous test locks the same tables in another order.
      await retry(() => rows(deleteAll), { timeoutMs: 10_000, isTransient })
    },
    logged: () => [...lines],
    async close() {
      await node.close()
      await pool.end()
      await engine.stop()
      await ownDatabase.remove()
      const text = lines.join('')
      expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
      expect(personalStrings().filter((secret) => text.includes(secret))).toEqual([])
    },
  }
}
