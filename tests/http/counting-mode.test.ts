// Campaigns that count only confirmed signatures: every public number moves at the confirmation, never at signing.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CampaignSummary, StoredCampaign } from '#contract/admin/campaigns.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { foldCounts } from '#server/db/signature-counts.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { aCampaign, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { pdfText } from '#tests/helpers/pdf-text.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const campaigns = '/api/admin/campaigns'
let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite(
    { EMAILS_PER_MINUTE: '60000' },
    { deliveries: { pollMs: 100 }, periods: { breakdownPauseMs: 0 } },
  )
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  await avoidBoundary('day')
  await site.empty()
})

interface Written {
  campaign: StoredCampaign
}

async function aLiveCampaign(fields: object = {}): Promise<StoredCampaign> {
  const { campaign } = await admin.ask<Written>('POST', campaigns, aCampaign({ countingMode: 'confirmed', ...fields }))
  // A node that is busy does not know a new campaign for a moment. A filled honeypot stores nothing.
  await expect.poll(async () => (await sign(campaign, aSignature({ honeypot: 'x' }))).status).toBe(201)
  return campaign
}

const sign = ({ slug }: { slug: string }, signature: object) =>
  postJson(`${site.url}/api/campaigns/${slug}/signatures`, signature)

async function change({ id }: StoredCampaign, fields: object): Promise<StoredCampaign> {
  const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${id}`)
  return (await admin.ask<Written>('PUT', `${campaigns}/${id}`, { ...campaign, ...fields })).campaign
}

const get = async <Body>(path: string) => (await (await fetch(site.url + path)).json()) as Body

interface PublicNumbers {
  count: number
  hoje: number | undefined
  listed: number | undefined
  counter: string | undefined
  image: string | undefined
}

/** Every number of a campaign that a visitor can see. */
async function publicNumbers({ slug }: { slug: string }): Promise<PublicNumbers> {
  const { count, hoje } = await get<{ count: number; hoje?: number }>(`/api/campaigns/${slug}/count`)
  const { campaigns: all } = await get<{ campaigns: { slug: string; count: number }[] }>('/api/campaigns')
  const page = await (await fetch(`${site.url}/p/${slug}`)).text()
  return {
    count,
    hoje,
    listed: all.find((each) => each.slug === slug)?.count,
    counter: /class="counter".*?class="hidden">([\d.]+)</s.exec(page)?.[1],
    image: /imagens\/campanha\/[^"]*\?v=(\d+)/.exec(page)?.[1],
  }
}

/** The counts are cached for a second, those of the day for ten. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1_100))

/** Presses the button of the e-mail to this address. */
async function confirm(email: string): Promise<void> {
  const mine = async () => (await site.deliveries.localEmails()).find(({ to }) => to === email)
  await expect.poll(mine, { timeout: 25_000 }).toBeDefined()
  const { html = '' } = (await site.deliveries.localEmail((await mine())?.id ?? '')) ?? {}
  const [, link] = /https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html) ?? []
  const answer = await postForm(`${site.url}${link}`, {}, { redirect: 'manual' })
  expect(answer.status).toBe(200)
}

test('no public number moves when somebody signs, and all of them move when the signature is confirmed', async () => {
  const campaign = await aLiveCampaign({ baseCount: 100 })
  await settle()
  // Today is known after its first read.
  await expect.poll(async () => (await publicNumbers(campaign)).hoje, { timeout: 15_000 }).toBe(0)
  const before = await publicNumbers(campaign)
  expect(before).toEqual({ count: 0, hoje: 0, listed: 100, counter: '100', image: '0' })

  const signature = aSignature()
  expect((await sign(campaign, signature)).status).toBe(201)
  await settle()
  expect(await publicNumbers(campaign)).toEqual(before)

  await confirm(signature.email)
  await expect
    .poll(() => publicNumbers(campaign), { timeout: 2_000, interval: 100 })
    .toEqual({ count: 1, hoje: 1, listed: 101, counter: '101', image: '100' })
})

test('a repeated signature cannot be told from a new one, by the replies and by the counter', async () => {
  const campaign = await aLiveCampaign()
  await settle()
  const signature = aSignature()
  const replies: unknown[] = []
  const numbers: unknown[] = []
  for (let times = 0; times < 2; times++) {
    const answer = await sign(campaign, { ...signature, honeypot: '' })
    const { date, 'x-request-id': id, ...headers } = Object.fromEntries(answer.headers)
    replies.push({ status: answer.status, headers, body: await answer.text() })
    // At once, so that a count in the answer of the page would show, and after the caches.
    numbers.push((await publicNumbers(campaign)).count)
    await settle()
    numbers.push((await publicNumbers(campaign)).count)
  }
  expect(replies[1]).toEqual(replies[0])
  expect(numbers).toEqual([0, 0, 0, 0])
})

test('without scripts, the thank-you view claims no number with the new signature', async () => {
  const campaign = await aLiveCampaign()
  await settle()
  const { nome, email, whatsapp, cidade, estado } = aSignature()
  const answer = await postForm(`${site.url}/p/${campaign.slug}`, { nome, email, whatsapp, cidade, estado })
  const page = await answer.text()
  expect(page).toContain('Obrigado! Sua voz conta')
  expect(page).toContain('entra na contagem quando você tocar no botão dele')
  expect(page).toContain('Seja a primeira pessoa a confirmar')
})

test('the e-mail says that the signature counts when it is confirmed', async () => {
  const campaign = await aLiveCampaign()
  const signature = aSignature()
  await sign(campaign, signature)
  const mine = async () => (await site.deliveries.localEmails()).find(({ to }) => to === signature.email)
  await expect.poll(mine, { timeout: 25_000 }).toBeDefined()
  const { html = '' } = (await site.deliveries.localEmail((await mine())?.id ?? '')) ?? {}
  expect(html).toContain('e ela entra na contagem')
  expect(html).not.toContain('já conta')
  const [, link] = /https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html) ?? []
  const page = await (await fetch(`${site.url}${link}`)).text()
  expect(page).toContain('a assinatura entra na contagem quando você confirma')
})

test('a removed signature leaves the count and the day, before and after folding', async () => {
  const campaign = await aLiveCampaign()
  const [first, second] = [aSignature(), aSignature()]
  for (const signature of [first, second]) {
    await sign(campaign, signature)
    await confirm(signature.email)
  }
  const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
  await foldCounts(database)
  await database.close()
  await expect
    .poll(() => publicNumbers(campaign), { timeout: 15_000 })
    .toMatchObject({ count: 2, hoje: 2, counter: '2' })

  const [stored] = await site.rows<{ id: string }>('select id from peticoes where email = $1', [first.email])
  await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${stored?.id}`)
  await expect
    .poll(() => publicNumbers(campaign), { timeout: 15_000 })
    .toMatchObject({ count: 1, hoje: 1, counter: '1' })
})

test('a confirmation of today counts today, although the signature is older', async () => {
  const campaign = await aLiveCampaign()
  const signature = aSignature()
  await sign(campaign, signature)
  await expect.poll(() => site.rows('select 1 from peticoes')).toHaveLength(1)
  await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)
  await site.rows(`delete from signature_count_changes`)
  await site.rows(`delete from peticoes_por_hora`)
  await confirm(signature.email)
  await expect.poll(() => publicNumbers(campaign), { timeout: 15_000 }).toMatchObject({ count: 1, hoje: 1 })
})

test('the mode can be changed: the number jumps, the audit log names both modes, and the admin area shows both numbers', async () => {
  const campaign = await aLiveCampaign({ countingMode: 'signed' })
  const signatures = [aSignature(), aSignature(), aSignature()]
  for (const signature of signatures) await sign(campaign, signature)
  await confirm(signatures[0]?.email ?? '')
  await expect.poll(async () => (await publicNumbers(campaign)).count).toBe(3)

  const changed = await change(campaign, { countingMode: 'confirmed' })
  expect(changed).toMatchObject({ countingMode: 'confirmed', signatures: 3, confirmed: 1 })
  await expect.poll(() => publicNumbers(campaign), { timeout: 2_000 }).toMatchObject({ count: 1, listed: 1 })
  const [entry] = await site.rows<{ changes: unknown[] }>(
    `select changes from admin_actions where action = 'Alterou campanha'`,
  )
  expect(entry?.changes).toEqual([
    {
      field: 'Quando a assinatura entra no contador',
      before: 'Ao assinar',
      after: 'Só depois de confirmada por e-mail',
    },
  ])

  const { campaigns: listed } = await admin.ask<{ campaigns: CampaignSummary[] }>('GET', campaigns)
  expect(listed.find(({ id }) => id === campaign.id)).toMatchObject({ signatures: 3, confirmed: 1 })
  expect(await admin.ask('GET', `/api/admin/numeros/${campaign.slug}`)).toMatchObject({
    signatures: 3,
    campaign: { countingMode: 'confirmed', publicCount: 1 },
    milestone: { next: 100, missing: 99, projected: null },
  })
  const { campaign: copy } = await admin.ask<Written>('POST', `${campaigns}/${campaign.id}/duplicar`)
  expect(copy.countingMode).toBe('confirmed')

  await change(changed, { countingMode: 'signed' })
  await expect.poll(async () => (await publicNumbers(campaign)).count, { timeout: 2_000 }).toBe(3)
})

test('an unknown mode is refused, and a campaign without one counts at once', async () => {
  const refused = await admin.call('POST', campaigns, aCampaign({ countingMode: 'nunca' }))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    errors: { countingMode: 'Escolha quando a assinatura entra no contador' },
  })
  const { campaign } = await admin.ask<Written>('POST', campaigns, aCampaign())
  expect(campaign.countingMode).toBe('signed')
})

test('the PDF of the delivery has the confirmed signatures alone', async () => {
  const campaign = await aLiveCampaign()
  const [confirmed, waiting] = [
    aSignature({ nome: 'Fulana Confirmada Fictícia', cidade: 'Salvador', estado: 'BA' }),
    aSignature({ nome: 'Beltrana Esperando Fictícia', cidade: 'Recife', estado: 'PE' }),
  ]
  await sign(campaign, confirmed)
  await sign(campaign, waiting)
  await confirm(confirmed.email)
  const pdf = async (file: string) =>
    pdfText(Buffer.from(await (await admin.call('GET', `${campaigns}/${campaign.id}/${file}`)).arrayBuffer()))
  await expect
    .poll(() => pdf('entrega.pdf'), { timeout: 20_000 })
    .toMatch(/1 assinatura colhida neste site, contada em/)
  const text = await pdf('entrega-com-nomes.pdf')
  expect(text).toContain('foram confirmadas por e-mail')
  expect(text).toContain('Salvador/BA')
  expect(text).toContain('Fulana Confirmada Fictícia')
  expect(text).not.toContain('Recife')
  expect(text).not.toContain('Beltrana')
})
