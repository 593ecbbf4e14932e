import { describe, expect, test } from 'vitest'
import { peopleKinds } from '#contract/admin/people.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import { columnsOf } from '#server/features/people/export-files.ts'
import { tabOf } from '#server/outbox/sheet/sheet-rows.ts'

describe.each(peopleKinds)('%s', (kind) => {
  const { table, sheetTab } = peopleDescriptors[kind]
  const tab = tabOf(sheetTab ?? 'juros', table)
  const titlesOf = (choice = {}) => columnsOf(kind, choice).map(({ title }) => title)

  test('exports have every column of the spreadsheet under the same title', () => {
    expect(titlesOf()).toEqual(expect.arrayContaining([...tab.columns]))
  })

  test('reserved columns are only in exports that ask for them', () => {
    const reserved = kind === 'lideres' ? ['CPF', 'Nascimento', 'Endereço', 'CEP'] : []
    expect(titlesOf({ withReserved: true }).filter((title) => !titlesOf().includes(title))).toEqual(reserved)
    for (const title of reserved) expect(tab.columns).not.toContain(title)
  })
})

test('each kind has its own table, outbox kind, tab and search letter', () => {
  for (const key of ['table', 'outboxKind', 'sheetTab', 'searchLetter'] as const)
    expect(new Set(peopleKinds.map((kind) => peopleDescriptors[kind][key])).size).toBe(peopleKinds.length)
})
