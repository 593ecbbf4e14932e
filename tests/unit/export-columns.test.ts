// The columns of exports: what is guarded against formulas and what is not.
import { expect, test } from 'vitest'
import { columnsOf, writeCsv } from '#server/features/people/export-columns.ts'
import type { WholeRow } from '#server/features/people/kinds.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'

test('an identifier is exported as it is, also one whose only letter is an e, like a number', async () => {
  const id = '019e0000-0000-7000-8000-000000000001'
  const row = {
    id,
    nome: 'Fulana',
    email: 'fulana@example.org',
    whatsapp: '00900000000',
    novidades: 'aceita',
  } as WholeRow
  async function* batches() {
    yield [row]
  }
  const pieces: Buffer[] = []
  for await (const piece of writeCsv({ title: '', columns: columnsOf('voluntarios'), batches: batches() }))
    pieces.push(piece)

  const [titles = [], cells = []] = readCsv(Buffer.concat(pieces).toString())
  expect(cells[titles.indexOf('Identificador')]).toBe(id)
})
