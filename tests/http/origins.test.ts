// The origin of a form: taken from the payload or from the address of a plain POST, and never a reason to refuse it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const forms = [
  { table: 'peticoes', page: '/peticao', path: '/api/peticoes', valid: aSignature, tipo: 'assinaturas' },
  { table: 'peticoes', page: '/fulano-cassado', path: '/api/abaixo-assinado', valid: aSignature, tipo: 'assinaturas' },
  {
    ...{ table: 'peticoes', page: '/p/fim-escala-6x1', path: '/api/campaigns/fim-escala-6x1/signatures' },
    ...{ valid: aSignature, tipo: 'assinaturas' },
  },
  { table: 'contacts', page: '/', path: '/api/contacts', valid: aContact, tipo: 'voluntarios' },
  {
    ...{ table: 'influenciadores', page: '/influenciadoresCOMLULA', path: '/api/lideres' },
    ...{ valid: anInfluencer, tipo: 'influenciadores' },
  },
  { table: 'lideres', page: '/formulario-lideres', path: '/api/formulario-lideres', valid: aLeader, tipo: 'lideres' },
]

describe.each(forms)('the origin of the form of $page', ({ table, page, path, valid, tipo }) => {
  const origins = async () =>
    (await site.rows<{ origem: string | null }>(`select origem from ${table} order by id`)).map(({ origem }) => origem)

  test('is stored, shown in the record and deleted with it', async () => {
    expect((await postJson(site.url + path, { ...valid(), origem: 'radio-comunitaria' })).status).toBe(201)
    expect(await origins()).toEqual(['radio-comunitaria'])

    const [row] = await site.rows<{ id: string }>(`select id from ${table}`)
    const record = `/api/admin/pessoas/${tipo}/${row?.id}`
    expect(await admin.ask('GET', record)).toMatchObject({ pessoa: { origem: 'radio-comunitaria' } })
    expect((await admin.call('DELETE', record)).status).toBe(200)
    expect(await origins()).toEqual([])
  })

  test('never refuses the form: an invalid origin is normalised or left out', async () => {
    const given = [undefined, null, '', 7, ['a'], {}, '\u0000', '\ud83d', 'Rádio Comunitária', 'o'.repeat(9_000)]
    for (const origem of given) expect((await postJson(site.url + path, { ...valid(), origem })).status).toBe(201)

    expect(await origins()).toEqual([...Array(8).fill(null), 'Radio-Comunitaria', 'o'.repeat(60)])
  })

  test('comes from the address of the page without JavaScript, and the thanks keep it', async () => {
    const send = (query: string) => postForm(site.url + page + query, valid(), { redirect: 'manual' })
    const answers = [await send('?de=feira&utm_source=zap'), await send('?utm_source=zap&fbclid=x'), await send('?x=1')]

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await origins()).toEqual(['feira', 'zap', null])
    const [withOrigin, , without] = answers.map(({ headers }) => headers.get('location') ?? '')
    expect(withOrigin).toMatch(/[?&]de=feira$/)
    expect(without).not.toContain('de=')
    expect((await fetch(new URL(String(withOrigin), site.url))).status).toBe(200)
  })

  test('is the same page from the cache, whatever the address says', async () => {
    const html = async (query: string) => (await fetch(site.url + page + query)).text()
    expect(await html('?de=aaaaaaaaaa')).not.toContain('aaaaaaaaaa')
    expect(await html('')).toMatch(/<form action="#[\w-]+" method="post">/)
  })
})

test('a form that is shown again for correction keeps its address, and so its origin', async () => {
  const wrong = await postForm(`${site.url}/peticao?de=feira`, { ...aSignature(), email: 'sem-arroba' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('<form action="#assinar" method="post">')
})

test('an embedded form takes the origin from the address of its frame', async () => {
  const signed = await postForm(`${site.url}/embed/juros?de=blog.example.org`, aSignature(), { redirect: 'manual' })
  await postForm(`${site.url}/embed/voluntarios?de=blog.example.org`, aContact(), { redirect: 'manual' })

  expect(signed.headers.get('location')).toBe('/embed/juros?obrigado&de=blog.example.org')
  expect(await site.rows('select origem from peticoes union all select origem from contacts')).toEqual([
    { origem: 'blog.example.org' },
    { origem: 'blog.example.org' },
  ])
})

test('a former slug keeps the origin, in its redirect and in its form', async () => {
  const slug = 'panfletagem'
  await site.rows(
    `with created as (insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab") values ($1, 'Panfleto', '<p>Oi</p>', $1) returning id)
    insert into campaign_old_slugs (slug, "campaignId") select $1 || '-antiga', id from created`,
    [slug],
  )
  const old = `${site.url}/p/${slug}-antiga?de=panfleto`

  await expect
    .poll(async () => (await fetch(old, { redirect: 'manual' })).headers.get('location'), { timeout: 5_000 })
    .toBe(`/p/${slug}?de=panfleto`)
  // The counts are read separately from the campaigns.
  await expect
    .poll(async () => (await fetch(`${site.url}/api/campaigns/${slug}-antiga/count`)).status, { timeout: 5_000 })
    .toBe(200)
  const signed = await postForm(old, aSignature(), { redirect: 'manual' })
  const thanks = await fetch(new URL(signed.headers.get('location') ?? '', site.url), { redirect: 'manual' })

  expect(thanks.headers.get('location')).toBe(`/p/${slug}?obrigado&de=panfleto`)
  expect(await site.rows('select campanha, origem from peticoes')).toEqual([{ campanha: slug, origem: 'panfleto' }])
})

test('a repeated signature keeps the origin of the first', async () => {
  const signature = aSignature()
  for (const origem of ['primeira', 'segunda']) await postJson(`${site.url}/api/peticoes`, { ...signature, origem })
  expect(await site.rows('select origem from peticoes')).toEqual([{ origem: 'primeira' }])
})

test('exports have a column with the origin', async () => {
  await postJson(`${site.url}/api/peticoes`, aSignature({ origem: 'radio-comunitaria' }))
  const csv = await (await admin.call('GET', '/api/admin/pessoas/assinaturas/exportar?formato=csv')).text()
  expect(csv).toContain('Origem')
  expect(csv).toContain('radio-comunitaria')
})

test('the description of the API has the field with its limit', async () => {
  const document = (await (await fetch(`${site.url}/api/openapi.json`)).json()) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
  }
  for (const path of ['/api/peticoes', '/api/contacts', '/api/lideres', '/api/formulario-lideres']) {
    const schema = document.paths[path]?.post.requestBody.content['application/json']?.schema
    expect(schema).toMatchObject({ properties: { origem: { type: 'string', maxLength: 60 } } })
  }
})
