// Links to inactive campaigns, and former slugs of campaigns.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { signatureSchema } from '#contract/petitions.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { createLog } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { openDatabase } from '#server/db/database.ts'
import { createSignatures } from '#server/features/petitions/signatures.ts'
import { createFanOut } from '#server/outbox/queue/fan-out.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aCampaign, aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const campaigns = '/api/admin/campaigns'

const create = async (fields: object = {}) =>
  (await admin.ask<{ campaign: StoredCampaign }>('POST', campaigns, aCampaign(fields))).campaign

const rename = (campaign: StoredCampaign, slug: string) =>
  admin.call('PUT', `${campaigns}/${campaign.id}`, { ...campaign, slug })

async function renamed(campaign: StoredCampaign, slug: string): Promise<StoredCampaign> {
  const answer = await rename(campaign, slug)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { campaign: StoredCampaign }).campaign
}

const get = (path: string) => fetch(site.url + path, { redirect: 'manual' })
const htmlOf = async (path: string) => (await get(path)).text()

async function redirectOf(path: string): Promise<[number, string | null]> {
  const { status, headers } = await get(path)
  return [status, headers.get('location')]
}

async function idOf(slug: string): Promise<number> {
  const [row] = await site.rows<{ id: number }>('select id::int from campaigns where slug = $1', [slug])
  return row?.id ?? 0
}

const setActive = async (slug: string, isActive: boolean) =>
  admin.ask('POST', `${campaigns}/${await idOf(slug)}/${isActive ? 'ativar' : 'desativar'}`)

const sign = (slug: string, headers: Record<string, string> = {}) =>
  fetch(`${site.url}/api/campaigns/${slug}/signatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(aSignature()),
  })

const signedFor = async (slug: string) => (await site.rows('select 1 from peticoes where campanha = $1', [slug])).length

describe('links to an inactive campaign', () => {
  const pages = ['/', '/comunidade', '/metodologia', '/p/contra-pec-da-impunidade']

  test.each([
    ['fim-escala-6x1', '/p/fim-escala-6x1'],
    ['cassacao-fulano', '/p/cassacao-fulano'],
    ['brasilquerpaz', '/brasilquerpaz'],
    ['juros', '/peticao'],
  ])('to %s are on no page until it is active again', async (slug, path) => {
    const pagesWithLink = async () => {
      const texts = await Promise.all([...pages, '/nao-existe'].map(htmlOf))
      return texts.map((html) => html.includes(`href="${path}"`))
    }
    expect(await pagesWithLink()).toEqual(Array(5).fill(true))
    await setActive(slug, false)
    expect(await pagesWithLink()).toEqual(Array(5).fill(false))
    await setActive(slug, true)
    expect(await pagesWithLink()).toEqual(Array(5).fill(true))
  })

  test('disappear when another node switched it off', async () => {
    expect(await htmlOf('/')).toContain('href="/brasilquerpaz"')
    await site.rows(`update campaigns set "isActive" = false where slug = 'brasilquerpaz'`)
    try {
      await expect.poll(() => htmlOf('/'), { timeout: 5_000 }).not.toContain('href="/brasilquerpaz"')
    } finally {
      await site.rows(`update campaigns set "isActive" = true where slug = 'brasilquerpaz'`)
    }
    await expect.poll(() => htmlOf('/'), { timeout: 5_000 }).toContain('href="/brasilquerpaz"')
  })

  test('are listed before it is switched off', async () => {
    const links = async (id: number) => (await admin.ask<{ links: object[] }>('GET', `${campaigns}/${id}/links`)).links
    expect(await links(await idOf('juros'))).toEqual([
      { place: 'Endereço fixo', name: '/peticao' },
      { place: 'Rodapé de todas as páginas', name: 'Petição contra os juros altos' },
      { place: 'Página de metodologia', name: 'Assinar a petição' },
      { place: 'Página de endereço não encontrado', name: 'Assinar a petição' },
    ])
    expect(await links(await idOf('fim-escala-6x1'))).toEqual([
      { place: 'Menu de todas as páginas', name: 'Fim da escala 6x1' },
    ])

    const campaign = await create()
    const other = await create({ titulo: 'A outra', manifestoHtml: `<p><a href="/p/${campaign.slug}">leia</a></p>` })
    await create({ titulo: 'Parecida', manifestoHtml: `<p><a href="/p/${campaign.slug}-2">leia</a></p>` })
    await site.rows(
      `insert into carousel_contents (titulo, categoria, descricao, "imagemUrl") values ('Cartaz', 'ARTES', $1, '/media/x.png')`,
      [`Assine em https://example.org/p/${campaign.slug}.`],
    )
    expect(await links(campaign.id)).toEqual([
      { place: 'Manifesto da campanha', name: 'A outra' },
      { place: 'Conteúdo em destaque', name: 'Cartaz' },
    ])
    expect(await links(other.id)).toEqual([])
    await site.rows(`update carousel_contents set "campaignId" = $1 where titulo = 'Cartaz'`, [other.id])
    expect(await links(other.id)).toEqual([{ place: 'Botão “Assine” do conteúdo', name: 'Cartaz' }])
    await site.rows(`delete from carousel_contents where titulo = 'Cartaz'`)
  })
})

describe('a former slug of a campaign', () => {
  test('redirects to the current one, page and embed, with its query', async () => {
    const first = await create()
    const second = await renamed(first, `${first.slug}-b`)
    expect(await redirectOf(`/p/${first.slug}?de=zap`)).toEqual([301, `/p/${second.slug}?de=zap`])
    expect(await redirectOf(`/embed/${first.slug}`)).toEqual([301, `/embed/${second.slug}`])

    const third = await renamed(second, `${first.slug}-c`)
    for (const { slug } of [first, second]) expect(await redirectOf(`/p/${slug}`)).toEqual([301, `/p/${third.slug}`])
    expect((await get(`/p/${third.slug}`)).status).toBe(200)
  })

  test('is a 404 while the campaign is inactive', async () => {
    const first = await create()
    const second = await renamed(first, `${first.slug}-b`)
    await setActive(second.slug, false)
    expect((await get(`/p/${first.slug}`)).status).toBe(404)
    expect((await sign(first.slug)).status).toBe(404)
  })

  test('still reads, counts and signs for an open page, as JSON or as a form', async () => {
    const first = await create({ baseCount: 10 })
    const second = await renamed(first, `${first.slug}-b`)
    const read = async (path: string) => (await get(`/api/campaigns/${first.slug}${path}`)).json()

    expect(await read('')).toMatchObject({ campaign: { slug: second.slug, titulo: first.titulo } })
    expect((await sign(first.slug)).status).toBe(201)
    const formReply = await fetch(`${site.url}/p/${first.slug}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(aSignature() as object as Record<string, string>),
    })
    expect(formReply.status).toBe(303)
    expect(await redirectOf(formReply.headers.get('location') ?? '')).toEqual([301, `/p/${second.slug}?obrigado`])

    expect([await signedFor(first.slug), await signedFor(second.slug)]).toEqual([0, 2])
    await expect.poll(() => read('/count'), { timeout: 3_000 }).toMatchObject({ count: 2 })
    expect((await get(`/imagens/campanha/${first.slug}.png`)).status).toBe(200)
  })

  test('cannot be used by another campaign, and the refusal names its campaign', async () => {
    const first = await create({ titulo: 'Praça viva' })
    const second = await renamed(first, `${first.slug}-b`)
    const message = 'Esse endereço já foi da campanha “Praça viva” e ainda leva a ela. Escolha outro'

    const refused = await admin.call('POST', campaigns, aCampaign({ slug: first.slug }))
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: { slug: message } }])
    const other = await create()
    expect(await (await rename(other, first.slug)).json()).toMatchObject({ errors: { slug: message } })
    expect(await (await admin.call('GET', `${campaigns}/endereco?slug=${first.slug}`)).json()).toMatchObject({
      available: false,
      message: message,
    })
    expect(
      await (await admin.call('GET', `${campaigns}/endereco?slug=${first.slug}&id=${second.id}`)).json(),
    ).toMatchObject({ available: true })
  })

  test('is replaced in signatures that a node stored before it knew the new slug', async () => {
    const log = createLog('silent')
    const database = openDatabase(site.engine, log, site.addressKey)
    const node = createSignatures({
      ...{ database, log, metrics: createMetrics(), admitMailbox: () => true, throttle: createBackgroundThrottle() },
      onQueued: () => {},
    })
    const first = await create({ sheetTab: 'Praça' })
    const between = await renamed(first, `${first.slug}-a`)
    const second = await renamed(between, `${first.slug}-b`)
    const [once, twice] = [aSignature({ estado: 'BA' }), aSignature({ estado: 'RJ' })]
    const record = (campanha: string, signature: typeof once) =>
      node.record({
        ...{ campanha, versaoManifesto: 1, requestId: crypto.randomUUID() },
        signature: signatureSchema.parse(signature),
      })
    // The second person also signs on a node that knows the new slug.
    for (const signature of [once, twice]) await record(first.slug, signature)
    await record(between.slug, once)
    await record(second.slug, twice)

    await createFanOut(database, { reminders: async () => false }).run()

    expect([await signedFor(first.slug), await signedFor(second.slug)]).toEqual([0, 2])
    expect(await site.rows(`select campanha, estado, n from ${signatureCountsSql} order by estado`)).toEqual([
      { campanha: second.slug, estado: 'BA', n: 1 },
      { campanha: second.slug, estado: 'RJ', n: 1 },
    ])
    expect(await site.rows(`select distinct payload->>'aba' as tab from outbox where kind = 'planilha'`)).toEqual([
      { tab: 'Praça' },
    ])
    const read = async () => (await get(`/api/campaigns/${first.slug}/count`)).json()
    await expect.poll(read, { timeout: 3_000 }).toMatchObject({ count: 2 })
    await node.close()
    await database.close()
  })

  test('can be taken back by its own campaign, and the other slug then redirects to it', async () => {
    const first = await create()
    const second = await renamed(first, `${first.slug}-b`)
    const back = await renamed(second, first.slug)
    expect(back.slug).toBe(first.slug)
    expect((await get(`/p/${first.slug}`)).status).toBe(200)
    expect(await redirectOf(`/p/${second.slug}`)).toEqual([301, `/p/${first.slug}`])
  })

  test('redirects on a node with a cached page as soon as the cache expires', async () => {
    const first = await create()
    expect((await get(`/p/${first.slug}`)).status).toBe(200)
    await site.rows('insert into campaign_old_slugs (slug, "campaignId") values ($1, $2)', [first.slug, first.id])
    await site.rows(`update campaigns set slug = slug || '-b' where id = $1`, [first.id])
    await expect.poll(() => redirectOf(`/p/${first.slug}`), { timeout: 5_000 }).toEqual([301, `/p/${first.slug}-b`])
  })
})
