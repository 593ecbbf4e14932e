// Links of e-mails: opening one does nothing, pressing its button does, once or many times, and nobody is named.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { removeSignature } from '#server/features/petitions/removal.ts'
import { createTallies } from '#server/features/petitions/tallies.ts'
import { counted } from '#tests/helpers/counted.ts'
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

/** Somebody signs and opens their mail. */
async function signed(fields: Parameters<typeof aSignature>[0] = {}) {
  const signature = aSignature(fields)
  await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, signature)
  const mine = async () => (await site.deliveries.localEmails()).find(({ to }) => to === signature.email)
  await expect.poll(mine, { timeout: 10_000 }).toBeDefined()
  const { html = '' } = (await site.deliveries.localEmail((await mine())?.id ?? '')) ?? {}
  const links = Object.fromEntries(
    paths.map((path) => [
      path,
      new RegExp(`https://mobiliza\\.example\\.org(/${path}/[\\w-]+)"`).exec(html)?.[1] ?? '',
    ]),
  ) as Record<Path, string>
  return { signature, links }
}

const press = (link: string) => postForm(site.url + link, {}, { redirect: 'manual' })
const confirmed = () => site.rows('select "confirmadoEm" is not null as confirmed from peticoes')
const closed = () => site.rows('select "descadastradoEm" is not null as closed from enderecos')

async function shownCount(): Promise<number> {
  // The promise is two seconds; the node's memory is one.
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  const answer = await fetch(`${site.url}/api/campaigns/brasilquerpaz/count`)
  return ((await answer.json()) as { count: number }).count
}

/** Parts of the ledger that say another number than the table. */
const drift = () =>
  site.rows(`
    with stored as (select campanha, estado, date_trunc('hour', "createdAt") as hora, count(*)::int as rows from peticoes group by 1, 2, 3)
    select * from stored full join ${counted} using (campanha, estado, hora) where rows is distinct from n`)

test.each([
  ['confirmar', 1],
  ['nao-fui-eu', 1],
  // "Nunca mais me escrevam" is a choice of its own.
  ['descadastrar', 2],
] as const)('opening %s shows its %i buttons, which post, and does nothing, however often', async (path, buttons) => {
  const { signature, links } = await signed()

  for (let times = 0; times < 3; times++) {
    const answer = await fetch(site.url + links[path])
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(html).toContain('<meta name="robots" content="noindex">')
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? ''
    expect([...main.matchAll(/<button/g)].length).toBe(buttons)
    const [form = ''] = /<form[^>]*>/.exec(main) ?? []
    expect(form).toContain('method="post"')
    expect(form).toContain(`action="${links[path]}"`)
    for (const secret of [signature.nome, signature.email, signature.whatsapp]) expect(html).not.toContain(secret)
    // Tags that travel with a shared page repeat no secret.
    expect(html.slice(0, html.indexOf('</head>'))).not.toContain(links[path])
  }

  expect(await confirmed()).toEqual([{ confirmed: false }])
  expect(await closed()).toEqual([])
})

test('confirming marks the signature once, and says the same when pressed again', async () => {
  const { signature, links } = await signed()

  const first = await press(links.confirmar)
  const [at] = await site.rows('select "confirmadoEm" from peticoes')
  const again = await press(links.confirmar)

  expect([first.status, again.status]).toEqual([200, 200])
  const html = await first.text()
  expect(html).toContain('Assinatura confirmada')
  expect(await again.text()).toBe(html)
  for (const secret of [signature.nome, signature.email]) expect(html).not.toContain(secret)
  expect(await site.rows('select "confirmadoEm" from peticoes')).toEqual([at])
  expect(await confirmed()).toEqual([{ confirmed: true }])
})

describe('"não fui eu"', () => {
  test('removes the signature, its count everywhere within two seconds, and its row of the spreadsheet', async () => {
    const { links } = await signed({ estado: 'BA' })
    await signed({ estado: 'BA' })
    await signed({ estado: 'RJ' })
    const [gone, ...others] = (await site.rows<{ id: string }>('select id from peticoes order by id')).map(
      ({ id }) => id,
    )
    const told = () => readFileSync(join(site.dataDir, 'planilhas', 'brasilquerpaz.csv'), 'utf8')
    await expect.poll(told, { timeout: 10_000 }).toContain(gone)
    expect(await shownCount()).toBe(3)

    const answers = await Promise.all([1, 2, 3, 4].map(() => press(links['nao-fui-eu'])))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await shownCount()).toBe(2)
    expect(await site.rows('select id from peticoes where id = $1', [gone])).toEqual([])
    expect(await drift()).toEqual([])
    await expect.poll(told, { timeout: 10_000 }).not.toContain(gone)
    expect(others).toHaveLength(2)
    for (const id of others) expect(told()).toContain(id)
  })

  test('leaves nothing that says what the address was written to about, and no more than five e-mails', async () => {
    const { signature, links } = await signed()
    const about = () => site.rows('select campanha, n from emails_por_endereco')
    expect(await about()).toEqual([{ campanha: 'brasilquerpaz', n: 1 }])
    await press(links['nao-fui-eu'])
    expect(await about()).toEqual([{ campanha: '', n: 1 }])

    // Somebody else goes on using the address.
    const database = openDatabase(site.engine, createLog('silent'))
    onTestFinished(() => database.close())
    const mails = async () => (await site.deliveries.localEmails()).filter(({ to }) => to === signature.email)
    const queued = () => site.rows(`select 1 from outbox where tipo not like 'lembrete%'`)
    for (let times = 2; times <= 7; times++) {
      await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, signature)
      await expect.poll(queued, { timeout: 10_000 }).toEqual([])
      expect(await mails()).toHaveLength(Math.min(times, 5))
      const [row] = await site.rows<{ id: string }>('select id from peticoes')
      await removeSignature(database, row?.id ?? '', { onQueued() {} })
    }
    expect(await about()).toEqual([{ campanha: '', n: 5 }])
  })

  test('is seen within two seconds in hours that were summed long ago, by every node', async () => {
    const { links } = await signed()
    await signed()
    await site.rows(`update peticoes set "createdAt" = "createdAt" - interval '30 days'`)
    for (const table of ['peticoes_por_hora', 'signature_count_changes'])
      await site.rows(`update ${table} set hora = hora - interval '30 days'`)
    const database = openDatabase(site.engine, createLog('silent'))
    onTestFinished(() => database.close())
    const otherNode = createTallies(database, createLog('silent'), 1_000)
    expect(await otherNode.of('brasilquerpaz')).toMatchObject({ signatures: 2 })

    await press(links['nao-fui-eu'])

    expect(await shownCount()).toBe(1)
    expect(await otherNode.of('brasilquerpaz')).toMatchObject({ signatures: 1 })
    expect(await drift()).toEqual([])
  })

  test('the last signature of a state leaves no part behind, while others sign', async () => {
    const states = ['AC', 'RR']
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => signed({ estado: states[n % 2] ?? '' })))

    await Promise.all([
      ...people.map(({ links }) => press(links['nao-fui-eu'])),
      ...Array.from({ length: 12 }, () =>
        postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, aSignature({ estado: 'AC' })),
      ),
    ])

    expect(await site.rows(`select estado, n from ${counted}`)).toEqual([{ estado: 'AC', n: 12 }])
    expect(await drift()).toEqual([])
  })

  test('what was taken back cannot be confirmed, and can be signed again', async () => {
    const { signature, links } = await signed()
    await press(links['nao-fui-eu'])

    expect((await press(links.confirmar)).status).toBe(410)
    await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, signature)
    expect((await confirmed()).length).toBe(1)
  })
})

describe('the page of a link', () => {
  const titleOf = async (slug: string) =>
    (await site.rows('select titulo from campaigns where slug = $1', [slug]))[0]?.titulo

  test.each(['confirmar', 'nao-fui-eu'] as const)('%s names the petition, before and after it', async (path) => {
    const { links } = await signed()
    const titulo = await titleOf('brasilquerpaz')
    expect(titulo).toBeTruthy()

    expect(await (await fetch(site.url + links[path])).text()).toContain(titulo)
    if (path === 'confirmar') expect(await (await press(links[path])).text()).toContain(titulo)
  })

  test.each([
    ['confirmar', 'Esta assinatura já está confirmada.'],
    ['nao-fui-eu', 'Esta assinatura já foi apagada.'],
  ] as const)('%s answers 410 once it was used, in words that help', async (path, sentence) => {
    const { links } = await signed()
    await press(links[path])

    const page = await fetch(site.url + links[path])

    expect(page.status).toBe(410)
    const html = await page.text()
    expect(html).toContain(sentence)
    expect(html).toContain('contato@example.org')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  test.each(paths)('%s answers 404 for a link that never was and 410 for one that has expired', async (path) => {
    const { links } = await signed()
    expect((await fetch(`${site.url}/${path}/${'a'.repeat(22)}`)).status).toBe(404)
    await site.rows(`update email_tokens set "expiraEm" = now() - interval '1 second'`)

    const page = await fetch(site.url + links[path])

    expect(page.status).toBe(410)
    expect(await page.text()).toContain('Este link não vale mais.')
  })

  test('the address of a thank-you view is not to be had for the asking', async () => {
    const { links } = await signed()
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
  ])('a mail program does it with one POST of %s, without a redirection', async (_, init) => {
    const { links } = await signed()

    const answer = await oneClick(links.descadastrar, init)

    expect(answer.status).toBe(200)
    expect(await closed()).toEqual([{ closed: true }])
  })

  const nothingWaits = () =>
    expect
      .poll(() => site.rows(`select 1 from outbox where tipo not like 'planilha%' and tipo <> 'lembretes'`), {
        timeout: 10_000,
      })
      .toEqual([])
  const subjectsTo = async (address: string) =>
    (await site.deliveries.localEmails()).filter(({ to }) => to === address).map(({ subject }) => subject)
  async function remind(): Promise<void> {
    await site.rows(`update outbox set proxima = now() where tipo = 'lembretes'`)
    await expect.poll(() => site.rows(`select 1 from outbox where tipo = 'lembretes'`), { timeout: 10_000 }).toEqual([])
  }
  const neverAgain = (link: string) => postForm(site.url + link, { escolha: 'nunca' }, { redirect: 'manual' })

  test('stops reminders; a new signature still gets its confirmation, once, and can be confirmed', async () => {
    const { signature, links } = await signed()
    for (let times = 0; times < 2; times++) {
      const answer = await press(links.descadastrar)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('Você saiu das novidades')
    }

    await postJson(`${site.url}/api/peticoes`, signature)
    await nothingWaits()
    await remind()
    await nothingWaits()

    const asksToConfirm = 'Falta um toque: confirme sua assinatura'
    expect(await subjectsTo(signature.email)).toEqual([asksToConfirm, asksToConfirm])
    expect((await confirmed()).length).toBe(2)
  })

  test('"Nunca mais me escrevam" stops every e-mail, from campaigns and forms; what was signed still counts', async () => {
    const { signature, links } = await signed()
    const answer = await neverAgain(links.descadastrar)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('Não escrevemos mais para você')

    await postJson(`${site.url}/api/peticoes`, signature)
    await postJson(`${site.url}/api/contacts`, aContact({ email: signature.email }))
    await nothingWaits()
    await remind()
    await nothingWaits()

    expect((await subjectsTo(signature.email)).length).toBe(1)
    expect((await confirmed()).length).toBe(2)
    // Mail programs may still press the button; a person who opens the link is told.
    expect((await oneClick(links.descadastrar, {})).status).toBe(200)
    expect((await fetch(site.url + links.descadastrar)).status).toBe(410)
  })

  test('ticking the box again and confirming subscribes again; confirming what was ticked before does not', async () => {
    const left = () => site.rows('select "descadastradoEm" is not null as left from enderecos')
    const { signature, links } = await signed({ aceitaNovidades: true })
    await press(links.descadastrar)
    await press(links.confirmar)
    expect(await left()).toEqual([{ left: true }])

    await postJson(`${site.url}/api/peticoes`, { ...signature, aceitaNovidades: true })
    expect(await left()).toEqual([{ left: true }])
    await expect.poll(async () => (await subjectsTo(signature.email)).length, { timeout: 10_000 }).toBe(2)
    const [latest] = await site.deliveries.localEmails()
    const { html = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}
    await press(/https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html)?.[1] ?? '')

    expect(await left()).toEqual([{ left: false }])
  })

  test('a form on which the box is ticked again asks by e-mail, and subscribes again once that is confirmed', async () => {
    const left = () => site.rows('select "descadastradoEm" is not null as left from enderecos')
    const { signature, links } = await signed()
    await press(links.descadastrar)
    await postJson(`${site.url}/api/contacts`, aContact({ email: signature.email, aceitaNovidades: true }))
    await expect.poll(async () => (await subjectsTo(signature.email)).length, { timeout: 10_000 }).toBe(2)
    const [latest] = await site.deliveries.localEmails()
    const { html = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}
    const link = /https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html)?.[1] ?? ''

    expect(await (await fetch(site.url + link)).text()).toContain('Voltar a receber novidades')
    expect(await left()).toEqual([{ left: true }])
    expect(await (await press(link)).text()).toContain('Você voltou a receber novidades')

    expect(await left()).toEqual([{ left: false }])
    const again = await fetch(site.url + link)
    expect([again.status, await again.text()]).toEqual([
      410,
      expect.stringContaining('Você já voltou a receber novidades.'),
    ])
  })

  test('"Nunca mais me escrevam" is not undone by a signature that was waiting to be confirmed', async () => {
    const { signature, links } = await signed()
    await postJson(`${site.url}/api/peticoes`, { ...signature, aceitaNovidades: true })
    await expect.poll(async () => (await subjectsTo(signature.email)).length, { timeout: 10_000 }).toBe(2)
    await neverAgain(links.descadastrar)
    await site.rows(`update enderecos set "descadastradoEm" = now() - interval '1 day'`)
    const [latest] = await site.deliveries.localEmails()
    const { html = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}

    await press(/https:\/\/mobiliza\.example\.org(\/confirmar\/[\w-]+)"/.exec(html)?.[1] ?? '')

    expect(
      await site.rows('select "descadastradoEm" is not null and "doNotContactAt" is not null as silent from enderecos'),
    ).toEqual([{ silent: true }])
  })
})

function formData(): FormData {
  const data = new FormData()
  data.set('List-Unsubscribe', 'One-Click')
  return data
}

describe('links that are worth nothing', () => {
  test('a link for one deed opens no other', async () => {
    const { links } = await signed()
    for (const [from, to] of [
      ['confirmar', 'nao-fui-eu'],
      ['descadastrar', 'confirmar'],
      ['nao-fui-eu', 'descadastrar'],
    ] as const)
      expect((await press(links[from].replace(from, to))).status).toBe(404)

    expect(await confirmed()).toEqual([{ confirmed: false }])
    expect(await closed()).toEqual([])
  })

  test('an expired link says so in words and does nothing', async () => {
    const { links } = await signed()
    await site.rows(`update email_tokens set "expiraEm" = now() - interval '1 second'`)

    const answer = await press(links['nao-fui-eu'])

    expect(answer.status).toBe(410)
    expect(await answer.text()).toContain('Este link não vale mais.')
    expect((await confirmed()).length).toBe(1)
  })

  test.each(['x', 'a'.repeat(22), encodeURIComponent("'; drop table peticoes; --"), '%00', 'a'.repeat(90)])(
    'a made-up link (%s) is refused in words, by the page and by the call',
    async (token) => {
      const page = await press(`/confirmar/${token}`)
      const call = await fetch(`${site.url}/api/confirmar/${token}`, { method: 'POST' })
      expect([page.status, call.status]).toEqual([404, 404])
      expect(((await call.json()) as { message: string }).message).toMatch(/não (vale mais|encontrado)/)
    },
  )
})
