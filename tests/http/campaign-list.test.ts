// The public list of campaigns, and campaigns that no longer collect signatures.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignClosed } from '#contract/messages.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({}, { periods: { refreshMs: 0 } })
})
afterAll(() => site.close())

const campaign = {
  slug: 'uma',
  ordem: 0,
  status: 'live',
  isActive: true,
  baseCount: 0,
  meta: null as number | null,
  resultHtml: null as string | null,
  shareTexts: {},
}

async function addCampaign(fields: Partial<typeof campaign> & { slug: string }): Promise<void> {
  const { slug, ordem, status, isActive, baseCount, meta, resultHtml, shareTexts } = { ...campaign, ...fields }
  await site.rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab", ordem, status, "isActive", "baseCount", meta,
       "resultHtml", "shareTexts")
     values ($1, $9, '<p>Manifesto</p>', 'aba', $2, $3, $4, $5, $6, $7, $8)`,
    [slug, ordem, status, isActive, baseCount, meta, resultHtml, JSON.stringify(shareTexts), `Título de ${slug}`],
  )
}

const json = async (path: string) => (await site.app.inject(path)).json()

/** On a busy machine the first replies may still be cached. */
const eventually = (path: string) => expect.poll(() => json(path), { timeout: 10_000 })

const sign = (slug: string) =>
  site.app.inject({ method: 'POST', url: `/api/campaigns/${slug}/signatures`, payload: aSignature() })

test('active campaigns are listed in the order of the organisers, then the newest first', async () => {
  await site.rows('update campaigns set ordem = 9')
  await addCampaign({ slug: 'segunda', ordem: 2 })
  await addCampaign({ slug: 'primeira', ordem: 1 })
  await addCampaign({ slug: 'antiga', ordem: 3 })
  await addCampaign({ slug: 'nova', ordem: 3 })
  await addCampaign({ slug: 'rascunho', ordem: 0, status: 'draft', isActive: false })

  const slugs = async () => (await json('/api/campaigns')).campaigns.map(({ slug }: { slug: string }) => slug)
  await expect
    .poll(async () => (await slugs()).slice(0, 4), { timeout: 10_000 })
    .toEqual(['primeira', 'segunda', 'nova', 'antiga'])
  expect(await slugs()).not.toContain('rascunho')
})

test('a listed campaign has what its card shows', async () => {
  await addCampaign({ slug: 'cartao', baseCount: 40, meta: 500 })
  await expect.poll(async () => (await sign('cartao')).statusCode, { timeout: 10_000 }).toBe(201)

  await eventually('/api/campaigns').toMatchObject({
    campaigns: expect.arrayContaining([
      {
        slug: 'cartao',
        titulo: 'Título de cartao',
        path: '/p/cartao',
        heroImageUrl: null,
        themeColor: 'red',
        count: 41,
        meta: 500,
        status: 'live',
      },
      expect.objectContaining({ slug: 'juros', path: '/peticao' }),
    ]),
  })
})

test('a campaign has its state, its goal, its share texts and, once closed, its sanitized result', async () => {
  const resultHtml = '<p>Entregue<script>alert(1)</script></p>'
  const shareTexts = { whatsapp: 'Assine comigo' }
  await addCampaign({ slug: 'aberta', meta: 1_000, resultHtml, shareTexts })
  await addCampaign({ slug: 'vencida', status: 'won', resultHtml })

  await eventually('/api/campaigns/aberta').toMatchObject({
    campaign: { status: 'live', meta: 1_000, resultHtml: null, shareTexts },
  })
  await eventually('/api/campaigns/vencida').toMatchObject({
    campaign: { status: 'won', meta: null, resultHtml: '<p>Entregue</p>', shareTexts: {} },
  })
})

test.each(['closed', 'won'])('a %s campaign refuses signatures and keeps its count', async (status) => {
  const slug = `fim-${status}`
  await addCampaign({ slug })
  await expect.poll(async () => (await sign(slug)).statusCode, { timeout: 10_000 }).toBe(201)
  await site.rows('update campaigns set status = $1 where slug = $2', [status, slug])

  await eventually(`/api/campaigns/${slug}`).toMatchObject({ campaign: { status } })
  await expect.poll(async () => (await sign(slug)).statusCode, { timeout: 10_000 }).toBe(410)
  const refused = await sign(slug)
  expect(refused.json()).toMatchObject({ success: false, code: 'campaign-closed', message: campaignClosed })
  const [{ signed } = { signed: 0 }] = await site.rows<{ signed: number }>(
    'select count(*)::int as signed from peticoes where campanha = $1',
    [slug],
  )
  await eventually(`/api/campaigns/${slug}/count`).toMatchObject({ count: signed })
})

test('a form without JavaScript for a campaign that has just ended is answered with its page and the sentence', async () => {
  await addCampaign({ slug: 'tarde', status: 'closed' })
  const send = () =>
    site.app.inject({
      method: 'POST',
      url: '/p/tarde',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(
        Object.entries(aSignature()).map(([name, value]) => [name, String(value)]),
      ).toString(),
    })
  await expect.poll(async () => (await send()).statusCode, { timeout: 10_000 }).toBe(410)

  const { payload } = await send()
  expect(payload).toContain(campaignClosed)
  expect(payload).toContain('Campanha encerrada')
  expect(payload).not.toContain('<form')
})
