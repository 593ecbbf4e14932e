// Workbooks written as a stream: what another program reads back, and what happens when a sheet is full.
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'

async function written(rows: Cell[][][], mostRows?: number): Promise<Buffer> {
  async function* batches() {
    yield* rows
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeXlsx({
    title: 'Pessoas & Cia',
    header: ['Nome', 'Dia'],
    rows: batches(),
    ...(mostRows && { mostRows }),
  }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('texts and moments come back as they were', async () => {
  const odd = ' =1+1 <a href="x">&amp;\n\u0001\u{1F1E7}\u{1F1F7} ção '
  const file = await written([[[odd, new Date('2026-11-15T15:00:00Z')]], [], [[null, null]], [['fim', null]]])
  expect(await readXlsxFile(file)).toMatchObject([
    {
      sheet: 'Pessoas & Cia',
      data: [
        ['Nome', 'Dia'],
        [odd.replace('\u0001', '').trim(), new Date('2026-11-15T12:00:00Z')],
        [null, null],
        ['fim', null],
      ],
    },
  ])
})

test('what does not fit on a sheet goes on the next, each with its header', async () => {
  const rows = Array.from({ length: 7 }, (_, n): Cell[] => [`Fulano ${n + 1}`, null])
  const sheets = await readXlsxFile(await written([rows.slice(0, 5), rows.slice(5)], 4))
  expect(sheets.map(({ sheet, data }) => [sheet, ...data.map(([nome]) => nome)])).toEqual([
    ['Pessoas & Cia', 'Nome', 'Fulano 1', 'Fulano 2', 'Fulano 3'],
    ['Pessoas & Cia 2', 'Nome', 'Fulano 4', 'Fulano 5', 'Fulano 6'],
    ['Pessoas & Cia 3', 'Nome', 'Fulano 7'],
  ])
})

test('a sheet that is just full begins no other', async () => {
  const rows = Array.from({ length: 3 }, (_, n): Cell[] => [`Fulano ${n + 1}`, null])
  expect(await readXlsxFile(await written([rows], 4))).toHaveLength(1)
})
