// Delivery of a backlog to the spreadsheet, with two of five calls failing and kills of the nodes during a write.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { reportResult } from '#tests/chaos/report.ts'
import { openPostgresSite, type PostgresSite } from '#tests/chaos/sites.ts'
import { isFull, size } from '#tests/chaos/size.ts'
import { rowsOf } from '#tests/helpers/postgres.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { type ServerProcess, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { startSheetsServer } from '#tests/helpers/sheets-server.ts'

let site: PostgresSite
beforeAll(async () => {
  site = await openPostgresSite()
})
afterAll(() => site.remove())

const store = (records: number) => `
with given as materialized (select gen_random_uuid() as id, n from generate_series(1, ${records}) n),
stored as (
  insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento")
  select id, id, 'juros', 'Fulana ' || n, id || '@example.org', id || '@example.org', '00900000000', 'Cidade', 'SP', '1' from given)
insert into outbox (kind, payload) select 'assinaturas', jsonb_agg(id) from given group by n / 40`

test('kills of the writing node and failing calls still leave each record in exactly one row', async () => {
  const folder = temporaryFolder()
  const sheets = await startSheetsServer({ folder, random: seededRandom('faults of the sheet') })
  // Late writes are detected by a second check one minute later, which is too long for the short run.
  sheets.faults = { quota: 10, error: 10, silence: isFull ? 5 : 10, late: isFull ? 5 : 0, dropped: 10 }
  const url = site.cluster.url('mobiliza')
  const settings = { env: { ...site.settings.env, ...sheets.env, DELIVERIES: 'on' }, dataDir: folder }
  const nodes: ServerProcess[] = []
  onTestFinished(async () => {
    for (const node of nodes) await node.kill()
    await sheets.close()
    rmSync(folder, { recursive: true, force: true })
  })
  nodes.push(await startServer(settings), await startServer(settings))

  for (let kills = 0; kills < size.sheetKills; kills++) {
    // The write hangs, and its node is killed before a response. The test cannot tell which node sent it, so it kills
    // both.
    const written = sheets.writes.length
    await rowsOf(url, store(Math.ceil(size.sheetRecords / size.sheetKills)))
    sheets.failNext('write', isFull && kills % 2 ? 'late' : 'silence')
    await expect.poll(() => sheets.writes.length, { timeout: 90_000, interval: 20 }).toBeGreaterThan(written)
    await Promise.all(nodes.splice(0).map((node) => node.kill()))
    nodes.push(await startServer(settings), await startServer(settings))
  }
  const tipos = ['assinaturas', 'planilha', ...(isFull ? ['planilha-conferir'] : [])].map((tipo) => `'${tipo}'`)
  const left = () => rowsOf(url, `select kind, payload->'aba' as aba from outbox where kind in (${tipos})`)
  await expect.poll(left, { timeout: 400_000, interval: 500 }).toEqual([])

  const [, ...rows] = sheets.tabs.texts('juros').map(([id]) => id)
  const stored = await rowsOf<{ id: string }>(url, 'select id from peticoes')
  const missing = stored.length - new Set(rows).size
  reportResult({
    test: 'spreadsheet with failing calls',
    serverKills: size.sheetKills * 2,
    notes: `${stored.length} records, ${rows.length} rows, ${missing} missing; ${JSON.stringify(sheets.counts)}`,
  })
  expect(rows.toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
  expect(sheets.counts['over quota']).toBeUndefined()
})
