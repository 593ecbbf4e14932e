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

const sign = (slug: string) =>
  site.app.inject({ method: 'POST', url: `/api/campaigns/${slug}/signatures`, payload: aSignature() })

test('active campaigns are listed in the order of the organisers, then the newest first', async () => {
  await site.rows('update campaigns set ordem = 9')
  await addCampaign({ slug: 'segunda', ordem: 2 })
  await addCampaign({ slug: 'primeira', ordem: 1 })
  await addCampaign({ slug: 'antiga', ordem: 3 })
  await addCampaign({ slug: 'nova', ordem: 3 })
  await addCampaign({ slug: 'rascunho', ordem: 0, status: 'draft', isActive: false })

  const { campaigns } = await json('/api/campaigns')
  const slugs = campaigns.map(({ slug }: { slug: string }) => slug)

  expect(slugs.slice(0, 4)).toEqual(['primeira', 'segunda', 'nova', 'antiga'])
  expect(slugs).not.toContain('rascunho')
})

test('a listed campaign has what its card shows', async () => {
  await addCampaign({ slug: 'cartao', baseCount: 40, meta: 500 })
  expect((await sign('cartao')).statusCode).toBe(201)

  const { campaigns } = await json('/api/campaigns')

  expect(campaigns.find(({ slug }: { slug: string }) => slug === 'cartao')).toEqual({
    slug: 'cartao',
    titulo: 'Título de cartao',
    path: '/p/cartao',
    heroImageUrl: null,
    themeColor: 'red',
    count: 41,
    meta: 500,
    status: 'live',
  })
  expect(campaigns.find(({ slug }: { slug: string }) => slug === 'juros')).toMatchObject({ path: '/peticao' })
})

test('a campaign has its state, its goal, its share texts and, once closed, its sanitized result', async () => {
  const resultHtml = '<p>Entregue<script>alert(1)</script></p>'
  const shareTexts = { whatsapp: 'Assine comigo' }
  await addCampaign({ slug: 'aberta', meta: 1_000, resultHtml, shareTexts })
  await addCampaign({ slug: 'vencida', status: 'won', resultHtml })

  expect((await json('/api/campaigns/aberta')).campaign).toMatchObject({
    status: 'live',
    meta: 1_000,
    resultHtml: null,
    shareTexts,
  })
  expect((await json('/api/campaigns/vencida')).campaign).toMatchObject({
    status: 'won',
    meta: null,
    resultHtml: '<p>Entregue</p>',
    shareTexts: {},
  })
})

test.each(['closed', 'won'])('a %s campaign refuses signatures and keeps its count', async (status) => {
  await addCampaign({ slug: `fim-${status}` })
  expect((await sign(`fim-${status}`)).statusCode).toBe(201)
  await site.rows('update campaigns set status = $1 where slug = $2', [status, `fim-${status}`])

  const refused = await sign(`fim-${status}`)

  expect(refused.statusCode).toBe(410)
  expect(refused.json()).toMatchObject({ success: false, code: 'campaign-closed', message: campaignClosed })
  expect(await json(`/api/campaigns/fim-${status}/count`)).toMatchObject({ count: 1 })
})
