// Edits of a campaign: slugs and sheet tabs from titles, concurrent edits, changes in a text.
import { describe, expect, test } from 'vitest'
import { campaignFields, slugSchema } from '#contract/admin/campaigns.ts'
import { type CampaignValues, fieldsToSend, numberIn, valuesOfCampaign } from '#web/admin/campaigns/campaign-values.ts'
import { compare, merge } from '#web/admin/campaigns/merge.ts'
import { sheetTabFrom, slugFrom } from '#web/admin/campaigns/slug.ts'
import { textChanges } from '#web/admin/editor/text-changes.ts'

describe('a slug from a title', () => {
  test.each([
    ['Praça viva, já!', 'praca-viva-ja'],
    ['  Fim da escala 6x1  ', 'fim-da-escala-6x1'],
    ['São João: ÀÉÎÕÜ ç', 'sao-joao-aeiou-c'],
    ['🌳🌳', ''],
    ['palavra '.repeat(30), 'palavra-palavra-palavra-palavra-palavra-palavra-palavra'],
  ])('%j becomes %j', (title, slug) => {
    expect(slugFrom(title)).toBe(slug)
    if (slug) expect(slugSchema.safeParse(slug).success).toBe(true)
  })

  test('one long word is cut to the maximum length', () => {
    expect(slugFrom('x'.repeat(300))).toHaveLength(100)
  })
})

describe('a spreadsheet tab from a title', () => {
  test.each([
    ['Praça viva, já!', 'Praça viva, já!'],
    ["  'Fim da escala 6x1'  ", 'Fim da escala 6x1'],
    ['Juros: por quê? [parte 1/2]', 'Juros por quê parte 1 2'],
    ['palavra '.repeat(30), 'palavra palavra palavra palavra palavra palavra'],
    ['x'.repeat(300), 'x'.repeat(50)],
    ['*?', ''],
  ])('%j becomes %j', (title, tab) => {
    expect(sheetTabFrom(title)).toBe(tab)
    if (tab) expect(campaignFields.shape.sheetTab.safeParse(tab).success).toBe(true)
  })
})

describe('two concurrent edits', () => {
  const base: CampaignValues = { ...valuesOfCampaign(), titulo: 'T', subtitulo: 'S', sheetTab: 'A' }
  const mine = { ...base, titulo: 'T meu', sheetTab: 'B' }
  const stored = { ...base, titulo: 'T deles', subtitulo: 'S deles', sheetTab: 'B' }

  test('compare names the fields that only the other edit changed and those that both changed differently', () => {
    expect(compare({ base, mine, stored })).toEqual({ theirs: ['subtitulo'], both: ['titulo'] })
  })

  test('merge keeps the changes of both edits, and the user’s choice where both changed a field', () => {
    expect(merge({ base, mine, stored }, new Set())).toEqual({ ...mine, subtitulo: 'S deles' })
    expect(merge({ base, mine, stored }, new Set(['titulo']))).toEqual({ ...stored })
  })
})

test('a count is sent as a number in any notation, and an invalid count is sent as typed for the server to refuse', () => {
  const sent = (baseCount: string) => fieldsToSend({ ...valuesOfCampaign(), baseCount }).baseCount
  expect([sent('18.245'), sent(' 7 '), sent('muitas'), sent('-1')]).toEqual([18245, 7, 'muitas', '-1'])
  expect([numberIn('18.245'), numberIn('muitas'), numberIn('')]).toEqual([18245, undefined, undefined])
})

test('changes of a text are listed by paragraph, and formatting alone is no change', () => {
  const before = '<p>Um</p><h2>Dois</h2><ul><li>Três</li><li>Quatro &amp; meio</li></ul>'
  const after = '<p>Um</p><h2>Dois</h2><p>Novo</p><ul><li>Três</li><li>Quatro</li></ul>'
  expect(textChanges(before, after).filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'added', text: 'Novo' },
    { kind: 'removed', text: 'Quatro & meio' },
    { kind: 'added', text: 'Quatro' },
  ])
  expect(textChanges('<p>Um <strong>dois</strong></p>', '<p>Um dois</p>').every(({ kind }) => kind === 'same')).toBe(
    true,
  )
})
