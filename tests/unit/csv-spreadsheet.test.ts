// The CSV spreadsheet has one record per id: after a write cut off at any byte, after retries, and after manual edits.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { csvRecord } from '#contract/csv.ts'
import { openCsvSpreadsheet } from '#server/adapters/sheets/csv.ts'
import type { Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
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

/** The retry of the queue after a write with an unknown outcome. */
async function retry(rows: string[][]): Promise<void> {
  const { present, lost } = await sheet.tidy(tab, copies)
  const missing = rows.filter(([id = '']) => !present.has(id))
  expect(lost.filter((id) => !missing.some(([missingId]) => missingId === id))).toEqual([])
  if (missing.length > 0) await sheet.append(tab, missing)
}

test('a file begins with a byte order mark and its titles, and only the owner may read it', async () => {
  await sheet.append(tab, [row(1)])
  await sheet.append(tab, [row(2)])

  expect(readFileSync(file).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(read()).toEqual([tab.columns, row(1), row(2)])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('after a write cut off at any byte, a retry leaves every id once and nothing else', async () => {
  await sheet.append(tab, [row(1)])
  const before = readFileSync(file)
  await sheet.append(tab, [row(2), row(3)])
  const whole = readFileSync(file)

  for (let length = before.length; length <= whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length))
    await retry([row(2), row(3)])
    expect(read(), `cut off after ${length - before.length} bytes`).toEqual([tab.columns, row(1), row(2), row(3)])
  }
})

test('rows appended after a cut-off row stay complete', async () => {
  await sheet.append(tab, [row(1)])
  const before = readFileSync(file)
  await sheet.append(tab, [row(2)])
  const whole = readFileSync(file)

  for (let length = before.length; length < whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length))
    await sheet.append(tab, [row(4), row(5)])
    await retry([row(2)])
    expect(read(), `cut off after ${length - before.length} bytes`).toEqual([
      tab.columns,
      row(1),
      row(4),
      row(5),
      row(2),
    ])
  }
})

test('a missing quote does not lose the rows after it', async () => {
  const plain = [1, 2, 3].map((n) => [idOf(n), 'Fulana', 'São Paulo'])
  await sheet.append(tab, plain.slice(0, 2))
  writeFileSync(file, readFileSync(file, 'utf8').replace('"São Paulo"', '"São Paulo'))
  await sheet.append(tab, plain.slice(2))
  const before = readFileSync(file)
  await sheet.tidy(tab, copies)
  expect(readFileSync(file)).toEqual(before)
})

test('a file with a foreign name is not changed', async () => {
  await sheet.append(tab, [row(1)])
  writeFileSync(join(folder, 'metas 50%.csv'), '')
  expect((await sheet.titles()).sort()).toEqual(['juros', 'metas 50%'])
})

test('a first write cut off at any byte is repaired', async () => {
  await sheet.append(tab, [row(1), row(2)])
  const whole = readFileSync(file)

  for (let length = 0; length <= whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length))
    await retry([row(1), row(2)])
    expect(read(), `cut off after ${length} bytes`).toEqual([tab.columns, row(1), row(2)])
  }
})

test('a cut-off row of an earlier write is reported as lost', async () => {
  await sheet.append(tab, [row(1), row(2)])
  truncateSync(file, statSync(file).size - 4)

  expect(await sheet.tidy(tab, copies)).toEqual({ present: new Set([idOf(1)]), removed: new Set(), lost: [idOf(2)] })
})

test('rows added by people stay; duplicates and erased rows are removed', async () => {
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

test('columns that people moved, renamed or deleted are found by their titles', async () => {
  await sheet.append(tab, [row(1)])
  writeFileSync(file, 'Cidade;Observações;ID;Nome completo\r\n')
  await sheet.append(tab, [row(2)])
  expect(read().at(-1)).toEqual(['São Paulo', row(2)[1], idOf(2)])
  expect((await sheet.tidy(tab, copies)).present).toEqual(new Set([idOf(2)]))

  writeFileSync(file, 'ID;Cidade\r\n')
  await sheet.append(tab, [row(3)])
  expect(read().at(-1)).toEqual([idOf(3), 'São Paulo'])
})

test('a last line without a line end, saved by another program, keeps its row', async () => {
  await sheet.append(tab, [row(1)])
  writeFileSync(file, `${readFileSync(file, 'utf8')}"";"nota de alguém"`)
  await retry([row(2)])
  expect(ids()).toEqual([idOf(1), '', idOf(2)])
})

test.each([
  ['plain cells', (id: string) => `${id};Fulana;São Paulo`],
  ['quoted cells', (id: string) => `"${id}";"Fulana";"São Paulo"`],
])('our last record without a line end (%s), saved by another program, is not lost', async (_, line) => {
  await sheet.append(tab, [row(1)])
  writeFileSync(file, `${readFileSync(file, 'utf8')}${line(idOf(2))}`)

  const lost = await sheet.append(tab, [row(3)])

  const kept = ids()
  expect([...kept, ...lost].toSorted()).toEqual([idOf(1), idOf(2), idOf(3)])
})

test('a tab with a long encoded name has a file and is found by its title', async () => {
  const title = '📣'.repeat(25)
  await sheet.append({ ...tab, title }, [row(1)])
  expect(await sheet.titles()).toEqual([title])
  expect((await sheet.tidy({ ...tab, title }, copies)).present).toEqual(new Set([idOf(1)]))
})

test('no tab title leads to a file outside the folder', async () => {
  const titles = ['../fora', '/etc/x', '..', 'a:b', 'Ação 6x1', 'c\\d', '.oculto']
  for (const title of titles) await sheet.append({ ...tab, title }, [row(1)])
  expect((await sheet.titles()).toSorted()).toEqual(titles.toSorted())
  for (const title of titles) expect((await sheet.tidy({ ...tab, title }, copies)).present.size).toBe(1)
  expect(readFileSync(join(folder, 'Ação 6x1.csv'), 'utf8')).toContain(idOf(1))
  expect(readFileSync(join(folder, '%2E%2E%2Ffora.csv'), 'utf8')).toContain(idOf(1))
})

test('a rewrite that fills the disk leaves the file unchanged and no other file', async ({ skip }) => {
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

test('a folder that cannot be written is reported with a message', async () => {
  mkdirSync(file, { recursive: true })
  await expect(sheet.append(tab, [row(1)])).rejects.toThrow('Não foi possível gravar em')
})

describe('rows that are already in a file', () => {
  const grown = {
    title: 'juros',
    columns: ['ID', 'Nome', 'Cidade', 'Confirmada'],
    added: ['Confirmada'],
    current: ['Confirmada'],
  }
  const confirmed = (n: number) => [...row(n), 'sim']

  test('are updated in place, in a new column after the columns added by people', async () => {
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

  test('are found after people moved the id column, and no column is added when no row matches', async () => {
    await sheet.append(tab, [row(1)])
    const reversed = read().map((cells) => cells.toReversed())
    writeFileSync(file, reversed.map(csvRecord).join(''))

    expect(await sheet.update(grown, [confirmed(2)])).toMatchObject({ absent: [idOf(2)], disturbed: [] })
    expect(read()).toEqual(reversed)
    await sheet.update(grown, [confirmed(1)])

    expect(read()).toEqual([
      [...(reversed[0] ?? []), 'Confirmada'],
      [...(reversed[1] ?? []), 'sim'],
    ])
  })

  test('are updated in a last line without a line end, and in a first line when the titles were deleted', async () => {
    const lines = [1, 2, 3].map((n) => `${idOf(n)};Fulana;São Paulo;não`)
    writeFile(lines.join('\n'))

    const { absent } = await sheet.update({ ...grown, added: [] }, [confirmed(1), confirmed(3)])

    expect(absent).toEqual([])
    expect(read().map(([id, , , confirmation]) => [id, confirmation])).toEqual([
      [idOf(1), 'sim'],
      [idOf(2), 'não'],
      [idOf(3), 'sim'],
    ])
  })

  test('are not updated if a killed process cut them off', async () => {
    await sheet.append(grown, [[...row(1), 'não']])
    const cut = `"${idOf(2)}";"Fula`
    writeFile(readFileSync(file, 'utf8') + cut)
    expect(await sheet.update(grown, [confirmed(1), confirmed(2)])).toMatchObject({ absent: [idOf(2)] })
    expect(readFileSync(file, 'utf8').endsWith(cut)).toBe(true)
  })

  test('keep the encoding of another program', async () => {
    await sheet.append(grown, [[idOf(1), 'x', 'y', 'não']])
    const ansi = Buffer.from(`${idOf(2)};João;São Paulo;não\r\n`, 'latin1')
    writeFileSync(file, Buffer.concat([readFileSync(file), ansi]))

    await sheet.update(grown, [confirmed(2)])

    expect(readFileSync(file).toString('latin1')).toContain(`"${idOf(2)}";"João";"São Paulo";"sim"\r\n`)
  })

  test('are all absent without a file', async () => {
    expect(await sheet.update(grown, [confirmed(1)])).toMatchObject({ absent: [idOf(1)], disturbed: [] })
  })
})
