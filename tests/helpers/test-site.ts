// A site of one test file's own, in this process, on the engine of the run. Its log is read at the end.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { AppOptions } from '#server/app.ts'
import { createLog } from '#server/core/log.ts'
import { tryAgain } from '#server/core/try-again.ts'
import { type Database, isTransient, openDatabase } from '#server/db/database.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import type { App } from '#server/http/mount.ts'
import { startNode } from '#server/node.ts'
import type { Deliveries, DeliveryOptions } from '#server/outbox/deliveries.ts'
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
  rows<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** As after the first start: campaigns and contents stay, what people sent is gone. */
  empty(): Promise<void>
  /** The lines of the log so far. */
  logged(): string[]
  /** Ends the site; fails the file if its log holds an error or a person. */
  close(): Promise<void>
}

// As long as a process holds the compiled engine, a new instance of it starts from the machine code of those before.
const engineFile = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
const keptEngine = WebAssembly.compile(readFileSync(engineFile))

interface Place {
  env: Record<string, string>
  remove(): Promise<void>
}

async function ownDatabase(): Promise<Place> {
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

export interface TestSiteParts {
  /** Without them the queue stays as it was written, to be looked at. */
  deliveries?: DeliveryOptions
  /** Shorter than on a site that people visit. */
  periods?: Pick<AppOptions, 'refreshMs' | 'censusPauseMs'>
}

export async function openTestSite(
  env: Record<string, string> = {},
  { deliveries, periods }: TestSiteParts = {},
): Promise<TestSite> {
  await keptEngine
  const place = await ownDatabase()
  const config = testConfig({ ...place.env, ...env })
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => lines.push(line) })
  const engine = await openEngine(config)
  const node = await startNode({
    config,
    engine,
    log,
    renderer: await openBuild(),
    deliveries: deliveries ?? 'off',
    ...periods,
  })
  const database: Database = openDatabase(engine, log)
  const rows: TestSite['rows'] = (text, values = []) => database.query('', text, values)
  return {
    app: node.app,
    engine,
    deliveries: node.deliveries,
    url: `http://127.0.0.1:${node.port}`,
    dataDir: config.dataDir,
    rows,
    async empty() {
      const tables =
        `peticoes peticoes_por_hora signature_count_changes signature_totals outbox contacts influenciadores lideres bot_conversas bot_mensagens
        admin_actions destinos enderecos emails_por_endereco email_tokens contadores removed_requests`.split(/\s+/)
      // As truncate does, in a fraction of its time: truncate makes new files for every table and index.
      const everything = `do $$ begin lock table ${tables.join(', ')}; set local session_replication_role = replica;
        ${tables.map((table) => `delete from ${table};`).join(' ')} end $$`
      // A worker that is still delivering what the last test left locks the same tables in another order.
      await tryAgain(() => rows(everything), { patienceMs: 10_000, isTransient })
    },
    logged: () => [...lines],
    async close() {
      await node.close()
      await database.close()
      await engine.stop()
      await place.remove()
      const text = lines.join('')
      expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
      expect(personalStrings().filter((secret) => text.includes(secret))).toEqual([])
    },
  }
}
