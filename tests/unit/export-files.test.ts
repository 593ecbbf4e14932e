import { expect, test } from 'vitest'
import { newWorkflow } from '#contract/admin/people-workflow.ts'
import { columnsOf, type ExportedRow, writeCsv } from '#server/features/people/export-files.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'

test('an identifier is exported without a guard, even if its only letter is an e, as in a number', async () => {
  const id = '019e0000-0000-7000-8000-000000000001'
  const row = {
    id,
    nome: 'Fulana',
    email: 'fulana@example.org',
    whatsapp: '00900000000',
    novidades: 'aceita',
    ...newWorkflow,
  } as ExportedRow
  async function* batches() {
    yield [row]
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeCsv({ title: '', columns: columnsOf('voluntarios'), batches: batches() }))
    chunks.push(chunk)

  const [titles = [], cells = []] = readCsv(Buffer.concat(chunks).toString())
  expect(cells[titles.indexOf('ID')]).toBe(id)
})
