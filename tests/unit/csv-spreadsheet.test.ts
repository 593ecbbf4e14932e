// The spreadsheet in files: one record per id, after a write that was cut off anywhere, after retries, and after people's own changes.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openCsvSpreadsheet } from '#server/adapters/sheets/csv.ts'
import type { Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import { csvRecord } from '#server/core/csv.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { mountSmallDisk, refusal, unmount } from '#tests/helpers/small-disk.ts'

const tab = { title: 'juros', columns: ['ID', 'Nome', 'Cidade'] }
const idOf = (n: number) => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const row = (n: number) => [idOf(n), `Fulana "${n}";\nde Tal`, 'São Paulo']
const copies = { erased: new Set<string>(), copies: 'remove' } as const

let folder: string
let file: string
let sheet: Spreadsheet
beforeEach(() => {
  folder = join(memoryFolder(), 'planilhas')
  file = join(folder, 'juros.csv')
  sheet = openCsvSpreadsheet({ folder, beforeWrite: async () => {} })
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const read = () => readCsv(readFileSync(file, 'utf8'))
const ids = () =>
  read()
    .slice(1)
    .map(([id]) => id)

function writeFile(text: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, text)
}

/** What the queue does after an outcome that nobody knows. */
async function sendAgain(rows: string[][]): Promise<void> {
  const { present, lost } = await sheet.tidy(tab, copies)
  const missing = rows.filter(([id = '']) => !present.has(id))
  expect(lost.filter((id) => !missing.some(([known]) => known === id))).toEqual([])
  if (missing.length > 0) await sheet.append(tab, missing)
}

test('a file begins with a mark and its titles, for the owner alone, and opens in Excel as it was meant', async () => {
  await sheet.append(tab, [row(1)])
  await sheet.append(tab, [row(2)])

  expect(readFileSync(file).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(read()).toEqual([tab.columns, row(1), row(2)])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a write that was cut off after any byte is made good: every id once, nothing else', async () => {
  await sheet.append(tab, [row(1)])
  const before = readFileSync(file)
  await sheet.append(tab, [row(2), row(3)])
  const whole = readFileSync(file)

  for (let length = before.length; length <= whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length))
    await sendAgain([row(2), row(3)])
    expect(read(), `cut off after ${length - before.length} bytes`).toEqual([tab.columns, row(1), row(2), row(3)])
  }
})

test('rows that are written behind one that was cut off stay whole, and stay', async () => {
  await sheet.append(tab, [row(1)])
  const before = readFileSync(file)
  await sheet.append(tab, [row(2)])
  const whole = readFileSync(file)

  for (let length = before.length; length < whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length))
    await sheet.append(tab, [row(4), row(5)])
    await sendAgain([row(2)])
    expect(read(), `cut off after ${length - before.length} bytes`).toEqual([
      tab.columns,
      row(1),
      row(4),
      row(5),
      row(2),
    ])
  }
})

test('a quote that somebody removed costs no row behind it', async () => {
  const plain = [1, 2, 3].map((n) => [idOf(n), 'Fulana', 'São Paulo'])
  await sheet.append(tab, plain.slice(0, 2))
  writeFileSync(file, readFileSync(file, 'utf8').replace('"São Paulo"', '"São Paulo'))
  await sheet.append(tab, plain.slice(2))
  const before = readFileSync(file)
  await sheet.tidy(tab, copies)
  expect(readFileSync(file)).toEqual(before)
})

test('a file with a name that is none of ours is left alone', async () => {
  await sheet.append(tab, [row(1)])
  writeFileSync(join(folder, 'metas 50%.csv'), '')
  expect((await sheet.titles()).sort()).toEqual(['juros', 'metas 50%'])
})

test('a first write that was cut off after any byte is made good', async () => {
  await sheet.append(tab, [row(1), row(2)])
  const whole = readFileSync(file)

  for (let length = 0; length <= whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length))
    await sendAgain([row(1), row(2)])
    expect(read(), `cut off after ${length} bytes`).toEqual([tab.columns, row(1), row(2)])
  }
})

test('a row that was cut off and belongs to an earlier write is told as lost', async () => {
  await sheet.append(tab, [row(1), row(2)])
  truncateSync(file, statSync(file).size - 4)

  expect(await sheet.tidy(tab, copies)).toEqual({ present: new Set([idOf(1)]), removed: new Set(), lost: [idOf(2)] })
})

test('people’s rows stay, second copies and erased ones go', async () => {
  await sheet.append(tab, [row(1), row(2), row(3)])
  const [head = [], ...rows] = read()
  const line = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')
  const note = ['', 'ligar amanhã', '']
  writeFileSync(file, [head, ...rows.toReversed(), note, row(2)].map(line).join('\n'))

  const { present, removed } = await sheet.tidy(tab, { ...copies, erased: new Set([idOf(1)]) })
  await sheet.append(tab, [row(4)])

  expect({ present, removed }).toEqual({ present: new Set([idOf(2), idOf(3)]), removed: new Set([idOf(1)]) })
  expect(read()).toEqual([head, row(3), row(2), note, row(4)])
})

test('columns that people moved, renamed or deleted are found where they are', async () => {
  await sheet.append(tab, [row(1)])
  writeFileSync(file, 'Cidade;Observações;ID;Nome completo\r\n')
  await sheet.append(tab, [row(2)])
  expect(read().at(-1)).toEqual(['São Paulo', row(2)[1], idOf(2)])
  expect((await sheet.tidy(tab, copies)).present).toEqual(new Set([idOf(2)]))

  writeFileSync(file, 'ID;Cidade\r\n')
  await sheet.append(tab, [row(3)])
  expect(read().at(-1)).toEqual([idOf(3), 'São Paulo'])
})

test('a last line without an end, saved by another program, keeps its row', async () => {
  await sheet.append(tab, [row(1)])
  writeFileSync(file, `${readFileSync(file, 'utf8')}"";"nota de alguém"`)
  await sendAgain([row(2)])
  expect(ids()).toEqual([idOf(1), '', idOf(2)])
})

test.each([
  ['plain cells', (id: string) => `${id};Fulana;São Paulo`],
  ['quoted cells', (id: string) => `"${id}";"Fulana";"São Paulo"`],
])('a last record of ours without a line end (%s), saved by another program, is not lost', async (_, line) => {
  await sheet.append(tab, [row(1)])
  writeFileSync(file, `${readFileSync(file, 'utf8')}${line(idOf(2))}`)

  const lost = await sheet.append(tab, [row(3)])

  const kept = ids()
  expect([...kept, ...lost].toSorted()).toEqual([idOf(1), idOf(2), idOf(3)])
})

test('a tab whose name is long once its signs are encoded has a file, and is found by its title', async () => {
  const title = '📣'.repeat(25)
  await sheet.append({ ...tab, title }, [row(1)])
  expect(await sheet.titles()).toEqual([title])
  expect((await sheet.tidy({ ...tab, title }, copies)).present).toEqual(new Set([idOf(1)]))
})

test('no title of a tab leads out of the folder', async () => {
  const titles = ['../fora', '/etc/x', '..', 'a:b', 'Ação 6x1', 'c\\d', '.oculto']
  for (const title of titles) await sheet.append({ ...tab, title }, [row(1)])
  expect((await sheet.titles()).toSorted()).toEqual(titles.toSorted())
  for (const title of titles) expect((await sheet.tidy({ ...tab, title }, copies)).present.size).toBe(1)
  expect(readFileSync(join(folder, 'Ação 6x1.csv'), 'utf8')).toContain(idOf(1))
  expect(readFileSync(join(folder, '%2E%2E%2Ffora.csv'), 'utf8')).toContain(idOf(1))
})

test('a rewrite that fills the disk leaves the file as it was, and nothing beside it', async ({ skip }) => {
  if (refusal) skip(refusal)
  mkdirSync(folder, { recursive: true })
  mountSmallDisk(folder, '256k')
  try {
    const rows = Array.from({ length: 2_000 }, (_, n) => row(n))
    await sheet.append(tab, rows)
    const before = readFileSync(file)

    const erased = new Set([idOf(5)])
    await expect(sheet.tidy(tab, { ...copies, erased })).rejects.toThrow('O disco do servidor está cheio')

    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(['juros.csv'])
  } finally {
    unmount(folder)
  }
})

test('a folder that cannot be written is told in a sentence', async () => {
  mkdirSync(file, { recursive: true })
  await expect(sheet.append(tab, [row(1)])).rejects.toThrow('Não foi possível gravar em')
})

describe('rows that stand in a file already', () => {
  const grown = {
    title: 'juros',
    columns: ['ID', 'Nome', 'Cidade', 'Confirmada'],
    added: ['Confirmada'],
    current: ['Confirmada'],
  }
  const confirmed = (n: number) => [...row(n), 'sim']

  test('are updated in place, in a column that is added behind those of people', async () => {
    await sheet.append(tab, [row(1), row(2), row(3)])
    const [head = [], first = [], ...rest] = read()
    const wide = [...first, 'ligar', 'sem título']
    writeFileSync(file, [[...head, 'Observações'], wide, ...rest].map(csvRecord).join(''))

    const updated = await sheet.update(grown, [confirmed(2), confirmed(9)])

    expect(updated).toMatchObject({ absent: [idOf(9)], disturbed: [] })
    expect(read()).toEqual([
      [...tab.columns, 'Observações', '', 'Confirmada'],
      wide,
      [...row(2), '', '', 'sim'],
      row(3),
    ])
    await sheet.append(grown, [confirmed(4)])
    expect(read().at(-1)).toEqual([...row(4), '', '', 'sim'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('are found where people moved the column of ids, and nothing is added where none of them is', async () => {
    await sheet.append(tab, [row(1)])
    const turned = read().map((cells) => cells.toReversed())
    writeFileSync(file, turned.map(csvRecord).join(''))

    expect(await sheet.update(grown, [confirmed(2)])).toMatchObject({ absent: [idOf(2)], disturbed: [] })
    expect(read()).toEqual(turned)
    await sheet.update(grown, [confirmed(1)])

    expect(read()).toEqual([
      [...(turned[0] ?? []), 'Confirmada'],
      [...(turned[1] ?? []), 'sim'],
    ])
  })

  test('are updated in a last line without an end, and in a first one whose titles somebody deleted', async () => {
    const lines = [1, 2, 3].map((n) => `${idOf(n)};Fulana;São Paulo;não`)
    writeFile(lines.join('\n'))

    const { absent } = await sheet.update({ ...grown, added: [] }, [confirmed(1), confirmed(3)])

    expect(absent).toEqual([])
    expect(read().map(([id, , , said]) => [id, said])).toEqual([
      [idOf(1), 'sim'],
      [idOf(2), 'não'],
      [idOf(3), 'sim'],
    ])
  })

  test('are left as a killed process cut them off', async () => {
    await sheet.append(grown, [[...row(1), 'não']])
    const cut = `"${idOf(2)}";"Fula`
    writeFile(readFileSync(file, 'utf8') + cut)
    expect(await sheet.update(grown, [confirmed(1), confirmed(2)])).toMatchObject({ absent: [idOf(2)] })
    expect(readFileSync(file, 'utf8').endsWith(cut)).toBe(true)
  })

  test('keep what another program wrote in its own encoding', async () => {
    await sheet.append(grown, [[idOf(1), 'x', 'y', 'não']])
    const ansi = Buffer.from(`${idOf(2)};João;São Paulo;não\r\n`, 'latin1')
    writeFileSync(file, Buffer.concat([readFileSync(file), ansi]))

    await sheet.update(grown, [confirmed(2)])

    expect(readFileSync(file).toString('latin1')).toContain(`"${idOf(2)}";"João";"São Paulo";"sim"\r\n`)
  })

  test('without a file there is nothing to update', async () => {
    expect(await sheet.update(grown, [confirmed(1)])).toMatchObject({ absent: [idOf(1)], disturbed: [] })
  })
})
