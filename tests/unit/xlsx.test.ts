// Streamed workbooks: what another program reads back, and sheets that are full.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'

async function writeWorkbook(rows: Cell[][][], maxRows?: number): Promise<Buffer> {
  async function* batches() {
    yield* rows
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeXlsx({
    title: 'Pessoas & Cia',
    header: ['Nome', 'Dia'],
    rows: batches(),
    ...(maxRows && { maxRows }),
  }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('texts and dates are read back unchanged', async () => {
  const odd = ' =1+1 <a href="x">&amp;\n\u0001\u{1F1E7}\u{1F1F7} ção '
  const file = await writeWorkbook([[[odd, new Date('2026-11-15T15:00:00Z')]], [], [[null, null]], [['fim', null]]])
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

test('surplus rows continue on the next sheet, each with its header', async () => {
  const rows = Array.from({ length: 7 }, (_, n): Cell[] => [`Fulano ${n + 1}`, null])
  const sheets = await readXlsxFile(await writeWorkbook([rows.slice(0, 5), rows.slice(5)], 4))
  expect(sheets.map(({ sheet, data }) => [sheet, ...data.map(([nome]) => nome)])).toEqual([
    ['Pessoas & Cia', 'Nome', 'Fulano 1', 'Fulano 2', 'Fulano 3'],
    ['Pessoas & Cia 2', 'Nome', 'Fulano 4', 'Fulano 5', 'Fulano 6'],
    ['Pessoas & Cia 3', 'Nome', 'Fulano 7'],
  ])
})

test('an exactly full sheet starts no other sheet', async () => {
  const rows = Array.from({ length: 3 }, (_, n): Cell[] => [`Fulano ${n + 1}`, null])
  expect(await readXlsxFile(await writeWorkbook([rows], 4))).toHaveLength(1)
})

test('a failure of the rows is passed on', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['Fulano', null]]
    throw new Error('database away')
  }
  const chunks = writeXlsx({ title: 'Pessoas', header: ['Nome', 'Dia'], rows: failing() })
  await expect(Array.fromAsync(chunks)).rejects.toThrow('database away')
})

test('rows are read only as fast as the file is taken, and no longer once it is given up', async () => {
  let read = 0
  let isClosed = false
  async function* endless(): AsyncGenerator<Cell[][]> {
    try {
      for (;;) {
        read += 1
        // Random texts: they do not become much smaller.
        yield Array.from({ length: 200 }, () => [randomBytes(200).toString('base64'), null])
      }
    } finally {
      isClosed = true
    }
  }
  const chunks = writeXlsx({ title: 'Pessoas', header: ['Nome', 'Dia'], rows: endless() })
  await chunks.next()
  await delay(300)
  const readWhileWaiting = read
  expect(readWhileWaiting).toBeLessThan(30)
  await chunks.return(undefined)
  expect(isClosed).toBe(true)
  await delay(50)
  expect(read).toBeLessThan(readWhileWaiting + 2)
})
