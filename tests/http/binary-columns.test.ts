// Binary columns are read unchanged by both engines.
import { expect, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { binaryColumns, kinds } from '#server/db/binary-columns.ts'
import { openDatabase } from '#server/db/database.ts'
import { openTestSite } from '#tests/helpers/test-site.ts'

interface Row {
  id: string
  nome: string | null
  aceita: boolean
  versao: number | undefined
}

const columns = binaryColumns<Row>({ id: kinds.uuid, nome: kinds.text, aceita: kinds.bool, versao: kinds.int })

async function roundTrip(rows: Row[]): Promise<Row[]> {
  const site = await openTestSite()
  const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
  try {
    return await database.query<Row>('', `select ${columns.rows}`, columns.parameters(rows))
  } finally {
    await database.close()
    await site.close()
  }
}

const names = [
  ...[
    'Fulano de Tal',
    '',
    ' ',
    'ção ÃÉÍ',
    '€uro',
    '😀👩‍👩‍👧',
    'NULL',
    '{"a","b"}',
    `'); drop table peticoes; --`,
    '\\ \\" \\n',
    'a\tb\nc',
  ],
  ...['ã'.repeat(500), '€'.repeat(500), '😀'.repeat(250), 'a'.repeat(10_000)],
]

test('texts are read back unchanged', async () => {
  const rows = names.map((nome, n) => ({ id: crypto.randomUUID(), nome, aceita: n % 2 === 0, versao: n * 1_000_003 }))
  expect(await roundTrip(rows)).toEqual(rows)
})

test('null stays null in any position', async () => {
  const ids = [1, 2, 3].map(() => crypto.randomUUID())
  const rows = ids.map((id, n) => ({
    id,
    nome: n === 1 ? 'Fulano' : null,
    aceita: n === 1,
    versao: n === 1 ? -1 : undefined,
  }))
  expect(await roundTrip(rows)).toEqual(rows.map(({ versao = null, ...row }) => ({ ...row, versao })))
})

test('one row and two thousand rows are read back', async () => {
  for (const count of [1, 2_000]) {
    const rows = Array.from({ length: count }, (_, n) => ({
      id: crypto.randomUUID(),
      nome: `Fulano ${n}`,
      aceita: true,
      versao: n,
    }))
    expect(await roundTrip(rows)).toEqual(rows)
  }
})
