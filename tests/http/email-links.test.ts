// Links of e-mails: opening one changes nothing, its button acts, and no page contains personal data.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Refusal } from '#contract/refusals.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { createCampaignCounts } from '#server/features/petitions/campaign-counts.ts'
import { removeSignature } from '#server/features/petitions/removal.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ EMAILS_PER_MINUTE: '60000' }, { deliveries: { pollMs: 100 } })
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const paths = ['confirmar', 'nao-fui-eu', 'descadastrar'] as const
type Path = (typeof paths)[number]

/** Signs, and returns the links of the e-mail that arrives. */
async function signAndReadLinks(fields: Parameters<typeof aSignature>[0] = {}) {
  const signature = aSignature(fields)
  const answer = await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, signature)
  expect(answer.status).toBe(201)
  const mine = async () => (await site.deliveries.localEmails()).find(({ to }) => to === signature.email)
  await expect.poll(mine, { timeout: 25_000 }).toBeDefined()
  const { html = '' } = (await site.deliveries.localEmail((await mine())?.id ?? '')) ?? {}
  const links = Object.fromEntries(
    paths.map((path) => [
      path,
      new RegExp(`https://mobiliza\\.example\\.org(/${path}/[\\w-]+)"`).exec(html)?.[1] ?? '',
    ]),
  ) as Record<Path, string>
  return { signature, links }
}

const submit = (link: string) => postForm(site.url + link, {}, { redirect: 'manual' })
const confirmed = () => site.rows('select "confirmadoEm" is not null as confirmed from peticoes')
const unsubscribed = () => site.rows('select "unsubscribedAt" is not null as closed from enderecos')

async function publicCount(): Promise<number> {
  // The count must be current within two seconds; the node caches for one second.
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  const answer = await fetch(`${site.url}/api/campaigns/brasilquerpaz/count`)
  return ((await answer.json()) as { count: number }).count
}

/** Counts that differ from the number of stored signatures. */
const wrongCounts = () =>
  site.rows(`
    with stored as (select campanha, estado, date_trunc('hour', "createdAt") as hora, count(*)::int as rows from peticoes group by 1, 2, 3)
    select * from stored full join ${signatureCountsSql} using (campanha, estado, hora) where rows is distinct from n`)

test.each(paths)('opening %s shows its button, which posts, and changes nothing', async (path) => {
  const { signature, links } = await signAndReadLinks()

  for (let times = 0; times < 3; times++) {
    const answer = await fetch(site.url + links[path])
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(html).toContain('<meta name="robots" content="noindex">')
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? ''
    expect([...main.matchAll(/<button/g)].length).toBe(1)
    const [form = ''] = /<form[^>]*>/.exec(main) ?? []
    expect(form).toContain('method="post"')
    expect(form).toContain(`action="${links[path]}"`)
    for (const secret of [signature.nome, signature.email, signature.whatsapp]) expect(html).not.toContain(secret)
    // Share tags must not contain the secret.
    expect(html.slice(0, html.indexOf('</head>'))).not.toContain(links[path])
  }

  expect(await confirmed()).toEqual([{ confirmed: false }])
  expect(await unsubscribed()).toEqual([])
})

test('the confirmation shares the texts of the campaign and its status', async () => {
  const { links } = await signAndReadLinks()
  const texts = async () => [...(await (await submit(links.confirmar)).text()).matchAll(/wa\.me\/\?text=([^"]*)/g)]
  await site.rows(`update campaigns set "shareTexts" = '{"whatsapp": "Vem comigo!"}' where slug = 'brasilquerpaz'`)
  expect(decodeURIComponent(String((await texts()).map(([, text]) => text)))).toContain(
    'Vem comigo!\nhttps://mobiliza.example.org/brasilquerpaz?de=whatsapp',
  )
  await site.rows(`update campaigns set "shareTexts" = '{}', status = 'won' where slug = 'brasilquerpaz'`)
  onTestFinished(async () => {
    await site.rows(`update campaigns set status = 'live' where slug = 'brasilquerpaz'`)
    // The node keeps campaigns in memory for a second, and refuses signatures of a won one.
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    const sign = async () => (await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, aSignature())).status
    await expect.poll(sign, { timeout: 10_000 }).toBe(201)
  })
  expect(decodeURIComponent(String((await texts()).map(([, text]) => text)))).not.toContain('Assine também')
})

test('confirming marks the signature once, and a second click gets the same page', async () => {
  const { signature, links } = await signAndReadLinks()

  const first = await submit(links.confirmar)
  const [at] = await site.rows('select "confirmadoEm" from peticoes')
  const again = await submit(links.confirmar)

  expect([first.status, again.status]).toEqual([200, 200])
  const html = await first.text()
  expect(html).toContain('Assinatura confirmada')
  expect(await again.text()).toBe(html)
  for (const channel of ['whatsapp', 'telegram', 'facebook', 'twitter']) expect(html).toContain(`%3Fde%3D${channel}`)
  for (const secret of [signature.nome, signature.email]) expect(html).not.toContain(secret)
  expect(await site.rows('select "confirmadoEm" from peticoes')).toEqual([at])
  expect(await confirmed()).toEqual([{ confirmed: true }])
})

describe('"não fui eu"', () => {
  test('removes the signature, its counts within two seconds, and its row of the spreadsheet', async () => {
    const { links } = await signAndReadLinks({ estado: 'BA' })
    await signAndReadLinks({ estado: 'BA' })
    await signAndReadLinks({ estado: 'RJ' })
    const [removed, ...others] = (await site.rows<{ id: string }>('select id from peticoes order by id')).map(
      ({ id }) => id,
    )
    const sheetText = () => readFileSync(join(site.dataDir, 'planilhas', 'brasilquerpaz.csv'), 'utf8')
    await expect.poll(sheetText, { timeout: 10_000 }).toContain(removed)
    expect(await publicCount()).toBe(3)

    const answers = await Promise.all([1, 2, 3, 4].map(() => submit(links['nao-fui-eu'])))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await publicCount()).toBe(2)
    expect(await site.rows('select id from peticoes where id = $1', [removed])).toEqual([])
    expect(await wrongCounts()).toEqual([])
    await expect.poll(sheetText, { timeout: 10_000 }).not.toContain(removed)
    expect(others).toHaveLength(2)
    for (const id of others) expect(sheetText()).toContain(id)
  })

  test('deletes the link between address and campaign, and keeps the limit of five e-mails', async () => {
    const { signature, links } = await signAndReadLinks()
    const counters = () => site.rows('select campanha, n from emails_por_endereco')
    expect(await counters()).toEqual([{ campanha: 'brasilquerpaz', n: 1 }])
    await submit(links['nao-fui-eu'])
    expect(await counters()).toEqual([{ campanha: '', n: 1 }])

    // Another person continues to use the address.
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    onTestFinished(() => database.close())
    const mails = async () => (await site.deliveries.localEmails()).filter(({ to }) => to === signature.email)
    const queued = () => site.rows(`select 1 from outbox where kind not like 'lembrete%'`)
    for (let times = 2; times <= 7; times++) {
      await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, signature)
      await expect.poll(queued, { timeout: 10_000 }).toEqual([])
      expect(await mails()).toHaveLength(Math.min(times, 5))
      const [row] = await site.rows<{ id: string }>('select id from peticoes')
      await removeSignature(database, row?.id ?? '')
    }
    expect(await counters()).toEqual([{ campanha: '', n: 5 }])
  })

  test('is counted within two seconds by every node, also in old hours', async () => {
    const { links } = await signAndReadLinks()
    await signAndReadLinks()
    await site.rows(`update peticoes set "createdAt" = "createdAt" - interval '30 days'`)
    for (const table of ['peticoes_por_hora', 'signature_count_changes'])
      await site.rows(`update ${table} set hora = hora - interval '30 days'`)
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    onTestFinished(() => database.close())
    const otherNode = createCampaignCounts(database, createLog('silent'), 1_000)
    expect(await otherNode.of('brasilquerpaz')).toMatchObject({ signatures: 2 })

    await submit(links['nao-fui-eu'])

    expect(await publicCount()).toBe(1)
    expect(await otherNode.of('brasilquerpaz')).toMatchObject({ signatures: 1 })
    expect(await wrongCounts()).toEqual([])
  })

  test('removing the last signature of a state leaves no count behind, while others sign', async () => {
    const states = ['AC', 'RR']
    const people = await Promise.all(
      Array.from({ length: 12 }, (_, n) => signAndReadLinks({ estado: states[n % 2] ?? '' })),
    )

    await Promise.all([
      ...people.map(({ links }) => submit(links['nao-fui-eu'])),
      ...Array.from({ length: 12 }, () =>
        postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, aSignature({ estado: 'AC' })),
      ),
    ])

    expect(await site.rows(`select estado, n from ${signatureCountsSql}`)).toEqual([{ estado: 'AC', n: 12 }])
    expect(await wrongCounts()).toEqual([])
  })

  test('a removed signature cannot be confirmed, and can be signed again', async () => {
    const { signature, links } = await signAndReadLinks()
    await submit(links['nao-fui-eu'])

    expect((await submit(links.confirmar)).status).toBe(410)
    await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, signature)
    expect((await confirmed()).length).toBe(1)
  })
})

describe('the page of a link', () => {
  const titleOf = async (slug: string) =>
    (await site.rows('select titulo from campaigns where slug = $1', [slug]))[0]?.titulo

  test.each(['confirmar', 'nao-fui-eu'] as const)(
    '%s shows the petition, before and after the action',
    async (path) => {
      const { links } = await signAndReadLinks()
      const titulo = await titleOf('brasilquerpaz')
      expect(titulo).toBeTruthy()

      expect(await (await fetch(site.url + links[path])).text()).toContain(titulo)
      if (path === 'confirmar') expect(await (await submit(links[path])).text()).toContain(titulo)
    },
  )

  test.each([
    ['confirmar', 'Esta assinatura já está confirmada.'],
    ['nao-fui-eu', 'Esta assinatura já foi apagada.'],
  ] as const)('%s is a 410 with a helpful message after it was used', async (path, message) => {
    const { links } = await signAndReadLinks()
    await submit(links[path])

    const page = await fetch(site.url + links[path])

    expect(page.status).toBe(410)
    const html = await page.text()
    expect(html).toContain(message)
    expect(html).toContain('contato@example.org')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  test.each(paths)('%s is a 404 for an unknown link and a 410 for an expired one', async (path) => {
    const { links } = await signAndReadLinks()
    expect((await fetch(`${site.url}/${path}/${'a'.repeat(22)}`)).status).toBe(404)
    await site.rows(`update email_tokens set "expiresAt" = now() - interval '1 second'`)

    const page = await fetch(site.url + links[path])

    expect(page.status).toBe(410)
    expect(await page.text()).toContain('Este link não vale mais.')
  })

  test('a link with ?obrigado does not show the thank-you page', async () => {
    const { links } = await signAndReadLinks()
    const html = await (await fetch(`${site.url}${links.confirmar}?obrigado`)).text()
    expect(html).toContain('Confirme sua assinatura')
    expect(html).not.toContain('Assinatura confirmada')
  })
})

describe('unsubscribing', () => {
  const oneClick = (link: string, init: RequestInit) =>
    fetch(site.url + link, { method: 'POST', redirect: 'manual', ...init })

  test.each([
    ['a form', { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }],
    ['form data', { body: formData() }],
    ['nothing', {}],
  ])('a mail program unsubscribes with one POST of %s, without a redirect', async (_, init) => {
    const { links } = await signAndReadLinks()

    const answer = await oneClick(links.descadastrar, init)

    expect(answer.status).toBe(200)
    expect(await unsubscribed()).toEqual([{ closed: true }])
  })

  const waitForEmptyQueue = () =>
    expect
      .poll(() => site.rows(`select 1 from outbox where kind not like 'planilha%' and kind <> 'lembretes'`), {
        timeout: 10_000,
      })
      .toEqual([])
  const subjectsTo = async (address: string) =>
    (await site.deliveries.localEmails()).filter(({ to }) => to === address).map(({ subject }) => subject)
  async function remind(): Promise<void> {
    await site.rows(`update outbox set "dueAt" = now() where kind = 'lembretes'`)
    await expect.poll(() => site.rows(`select 1 from outbox where kind = 'lembretes'`), { timeout: 10_000 }).toEqual([])
  }
  const neverAgain = (link: string) => postForm(site.url + link, { escolha: 'nunca' }, { redirect: 'manual' })

  test('stops reminders; a new signature still gets one confirmation e-mail', async () => {
    const { signature, links } = await signAndReadLinks()
    for (let times = 0; times < 2; times++) {
      const answer = await submit(links.descadastrar)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('Você saiu das novidades')
    }

    await postJson(`${site.url}/api/peticoes`, signature)
    await waitForEmptyQueue()
    await remind()
    await waitForEmptyQueue()

    const asksToConfirm = 'Falta um toque: confirme sua assinatura'
    expect(await subjectsTo(signature.email)).toEqual([asksToConfirm, asksToConfirm])
    expect((await confirmed()).length).toBe(2)
  })

  test('"Nunca mais me escrevam" stops every e-mail, from campaigns and forms; signatures still count', async () => {
    const { signature, links } = await signAndReadLinks()
    const answer = await neverAgain(links.descadastrar)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('Não escrevemos mais para você')

    await postJson(`${site.url}/api/peticoes`, signature)
    await postJson(`${site.url}/api/contacts`, aContact({ email: signature.email }))
    await waitForEmptyQueue()
    await remind()
    await waitForEmptyQueue()

    expect((await subjectsTo(signature.email)).length).toBe(1)
    expect((await confirmed()).length).toBe(2)
    // Mail programs may still post; a person who opens the link sees a 410.
    expect((await oneClick(links.descadastrar, {})).status).toBe(200)
    expect((await fetch(site.url + links.descadastrar)).status).toBe(410)
  })

  test('consent given again and confirmed subscribes again; confirming earlier consent does not', async () => {
    const left = () => site.rows('select "unsubscribedAt" is not null as left from enderecos')
    const { signature, links } = await signAndReadLinks({ aceitaNovidades: true })
    await submit(links.descadastrar)
    await submit(links.confirmar)
    expect(await left()).toEqual([{ left: true }])

    await postJson(`${site.url}/api/peticoes`, { ...signature, aceitaNovidades: true })
    expect(await left()).toEqual([{ left: true }])
    await expect.poll(async () => (await subjectsTo(signature.email)).length, { timeout: 10_000 }).toBe(2)
    const [latest] = await site.deliveries.localEmails()
    const { html = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}
    await submit(/https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html)?.[1] ?? '')

    expect(await left()).toEqual([{ left: false }])
  })

  test('a form with consent given again sends an e-mail, and subscribes again after its confirmation', async () => {
    const left = () => site.rows('select "unsubscribedAt" is not null as left from enderecos')
    const { signature, links } = await signAndReadLinks()
    await submit(links.descadastrar)
    await postJson(`${site.url}/api/contacts`, aContact({ email: signature.email, aceitaNovidades: true }))
    await expect.poll(async () => (await subjectsTo(signature.email)).length, { timeout: 10_000 }).toBe(2)
    const [latest] = await site.deliveries.localEmails()
    const { html = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}
    const link = /https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html)?.[1] ?? ''

    expect(await (await fetch(site.url + link)).text()).toContain('Voltar a receber novidades')
    expect(await left()).toEqual([{ left: true }])
    expect(await (await submit(link)).text()).toContain('Você voltou a receber novidades')

    expect(await left()).toEqual([{ left: false }])
    const again = await fetch(site.url + link)
    expect([again.status, await again.text()]).toEqual([
      410,
      expect.stringContaining('Você já voltou a receber novidades.'),
    ])
  })

  test('"Nunca mais me escrevam" is not undone by a pending confirmation', async () => {
    const { signature, links } = await signAndReadLinks()
    await postJson(`${site.url}/api/peticoes`, { ...signature, aceitaNovidades: true })
    await expect.poll(async () => (await subjectsTo(signature.email)).length, { timeout: 10_000 }).toBe(2)
    await neverAgain(links.descadastrar)
    await site.rows(`update enderecos set "unsubscribedAt" = now() - interval '1 day'`)
    const [latest] = await site.deliveries.localEmails()
    const { html = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}

    await submit(/https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html)?.[1] ?? '')

    expect(
      await site.rows('select "unsubscribedAt" is not null and "doNotContactAt" is not null as silent from enderecos'),
    ).toEqual([{ silent: true }])
  })
})

function formData(): FormData {
  const data = new FormData()
  data.set('List-Unsubscribe', 'One-Click')
  return data
}

describe('invalid links', () => {
  test('a link for one action is not valid for another', async () => {
    const { links } = await signAndReadLinks()
    for (const [from, to] of [
      ['confirmar', 'nao-fui-eu'],
      ['descadastrar', 'confirmar'],
      ['nao-fui-eu', 'descadastrar'],
    ] as const)
      expect((await submit(links[from].replace(from, to))).status).toBe(404)

    expect(await confirmed()).toEqual([{ confirmed: false }])
    expect(await unsubscribed()).toEqual([])
  })

  test('an expired link gets a message and changes nothing', async () => {
    const { links } = await signAndReadLinks()
    await site.rows(`update email_tokens set "expiresAt" = now() - interval '1 second'`)

    const answer = await submit(links['nao-fui-eu'])

    expect(answer.status).toBe(410)
    expect(await answer.text()).toContain('Este link não vale mais.')
    expect((await confirmed()).length).toBe(1)
  })

  test.each(['x', 'a'.repeat(22), encodeURIComponent("'; drop table peticoes; --"), '%00', 'a'.repeat(90)])(
    'an invented link (%s) is refused with a message, by the page and by the API',
    async (token) => {
      const page = await submit(`/confirmar/${token}`)
      const call = await fetch(`${site.url}/api/confirmar/${token}`, { method: 'POST' })
      expect([page.status, call.status]).toEqual([404, 404])
      const refusal = (await call.json()) as Refusal
      expect(refusal.message).toMatch(/não (vale mais|encontrado)/)
      expect(refusal.code).toBe('link-unknown')
      expect(await page.text()).toContain('Link errado')
    },
  )
})
