// News preferences of a mailbox: confirmation of forms with the news box, and the page of the unsubscribe link.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addressHmac } from '#server/core/address-key.ts'
import { readRemovals } from '#server/core/removal-journal.ts'
import { digestOf } from '#server/core/tokens.ts'
import { replayRemovals } from '#server/db/after-restore.ts'
import { bindAddressKey } from '#server/db/bind-address-key.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ EMAILS_PER_MINUTE: '60000' }, { deliveries: { pollMs: 50 } })
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const submit = (link: string, fields = {}) => postForm(site.url + link, fields, { redirect: 'manual' })

/** The e-mails to an address, the newest first, when there are this many. */
async function emailsTo(email: string, n = 1) {
  const found = async () => (await site.deliveries.localEmails()).filter(({ to }) => to === email)
  await expect.poll(async () => (await found()).length, { timeout: 10_000 }).toBe(n)
  return Promise.all((await found()).map(async ({ id }) => (await site.deliveries.localEmail(id))?.html ?? ''))
}

const linkIn = (html = '', path = 'confirmar') =>
  new RegExp(`https://mobiliza\\.example\\.org(/${path}/[\\w-]+)"`).exec(html)?.[1] ?? ''

const forms = [
  { tipo: 'voluntarios', table: 'contacts', path: '/api/contacts', valid: aContact },
  { tipo: 'influenciadores', table: 'influenciadores', path: '/api/lideres', valid: anInfluencer },
  { tipo: 'lideres', table: 'lideres', path: '/api/formulario-lideres', valid: aLeader },
] as const

describe.each(forms)('the news box of $tipo', ({ tipo, table, path, valid }) => {
  const confirmedAt = async () => (await site.rows(`select "confirmadoEm" as at from ${table}`))[0]?.at

  test('is confirmed by the button of the welcome e-mail, once, and not by opening the link', async () => {
    const person = valid({ aceitaNovidades: true })
    await postJson(site.url + path, person)
    const [html] = await emailsTo(person.email)
    expect(html).toContain('Confirmar e receber novidades')
    const link = linkIn(html)

    const page = await (await fetch(site.url + link)).text()
    expect(page).toContain('Confirme o seu e-mail')
    expect(page).not.toContain(person.email)
    expect(await confirmedAt()).toBeNull()
    const answer = await submit(link)

    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Agora você recebe novidades')])
    const first = await confirmedAt()
    expect(first).toBeInstanceOf(Date)
    expect((await submit(link)).status).toBe(200)
    expect(await confirmedAt()).toEqual(first)
    const used = await fetch(site.url + link)
    expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('Você já recebe novidades.')])

    const admin = await enter(site)
    const { pessoas } = await admin.ask<{ pessoas: { confirmadoEm: string }[] }>('GET', `/api/admin/pessoas/${tipo}`)
    expect(pessoas.map(({ confirmadoEm }) => confirmadoEm)).toEqual([first.toISOString()])
    const { file } = await downloadExport(await admin.call('GET', `/api/admin/pessoas/${tipo}/exportar?formato=csv`))
    const [titles = [], cells = []] = readCsv(file.toString())
    expect(cells[titles.indexOf('Confirmada em')]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d|^\d\d\/\d\d\/\d{4}/)
  }, 30_000)

  test('has no button if it is not ticked, if the record is imported, or after its mailbox unsubscribed', async () => {
    const plain = valid()
    await postJson(site.url + path, plain)
    const [html] = await emailsTo(plain.email)
    expect([linkIn(html), html]).toEqual(['', expect.not.stringContaining('receber novidades')])
    await submit(linkIn(html, 'descadastrar'))

    // The e-mail is rendered when it is sent: the record has changed in the meantime.
    const [later, imported] = [valid({ aceitaNovidades: true }), valid({ aceitaNovidades: true })]
    await site.rows(
      `create or replace function change_form() returns trigger language plpgsql as $$ begin
        if new.email = '${imported.email}' then new."importId" := 1; end if;
        if new.email = '${later.email}' then
          insert into enderecos ("addressHmac", "unsubscribedAt") values ('\\x${addressHmac(site.addressKey, later.email).toString('hex')}', now() + interval '1 minute');
        end if;
        return new; end $$`,
    )
    await site.rows(`create trigger change_form before insert on ${table} for each row execute function change_form()`)
    for (const person of [later, imported]) await postJson(site.url + path, person)
    for (const { email } of [later, imported]) expect(linkIn((await emailsTo(email))[0])).toBe('')
    await site.rows(`drop trigger change_form on ${table}`)
  }, 30_000)

  test('is not confirmed by a link after its mailbox unsubscribed or refused all e-mail', async () => {
    for (const escolha of [undefined, 'nunca']) {
      const person = valid({ aceitaNovidades: true })
      await postJson(site.url + path, person)
      const [html] = await emailsTo(person.email)
      await submit(linkIn(html, 'descadastrar'), escolha ? { escolha } : {})

      expect((await submit(linkIn(html))).status).toBe(410)
    }
    expect(await site.rows(`select "confirmadoEm" from ${table} where "confirmadoEm" is not null`)).toEqual([])
  }, 30_000)
})

test('a link that asks to return confirms the form as well', async () => {
  const first = aContact()
  await postJson(`${site.url}/api/contacts`, first)
  const [html] = await emailsTo(first.email)
  await submit(linkIn(html, 'descadastrar'))
  await postJson(`${site.url}/api/contacts`, { ...first, aceitaNovidades: true })
  const [latest] = await emailsTo(first.email, 2)
  expect(latest).toContain('Voltar a receber novidades')

  expect((await submit(linkIn(latest))).status).toBe(200)

  expect(
    await site.rows(
      'select "aceitaNovidades" as accepts, "confirmadoEm" is not null as confirmed from contacts order by id',
    ),
  ).toEqual([
    { accepts: false, confirmed: false },
    { accepts: true, confirmed: true },
  ])
  expect(await site.rows('select "unsubscribedAt" from enderecos where "unsubscribedAt" is not null')).toEqual([])
}, 30_000)

describe('the page of the unsubscribe link', () => {
  interface Preferences {
    escolha: string
    campanha: string | null
    outras: string[]
    confirma: boolean
    suspenso: boolean
  }

  /** Signs, and returns the unsubscribe link of the e-mail. */
  async function sign(fields: Parameters<typeof aSignature>[0] = {}, campaign = 'brasilquerpaz', nth = 1) {
    const signature = aSignature({ aceitaNovidades: true, ...fields })
    await postJson(`${site.url}/api/campaigns/${campaign}/signatures`, signature)
    const [html] = await emailsTo(signature.email, nth)
    return { ...signature, link: linkIn(html, 'descadastrar'), confirm: linkIn(html) }
  }
  const choose = (link: string, escolha: string) => submit(link, { escolha })
  const preferences = async (link: string) =>
    ((await (await fetch(`${site.url}/api${link}`)).json()) as { preferencias: Preferences }).preferencias
  const mainOf = async (answer: Response | Promise<Response>) =>
    /<main.*<\/main>/s.exec(await (await answer).text())?.[0] ?? ''
  const radios = (main: string) =>
    [...main.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(
      ([tag]) => `${/value="([\w-]+)"/.exec(tag)?.[1]}${tag.includes('checked') ? '*' : ''}`,
    )
  const mailboxState = async () =>
    (
      await site.rows(
        `select "unsubscribedAt" is not null as left, "doNotContactAt" is not null as silent,
          (select count(*)::int from news_opt_outs o where o."addressHmac" = e."addressHmac") as "optOuts" from enderecos e`,
      )
    )[0] ?? { left: false, silent: false, optOuts: 0 }
  const receiving = { left: false, silent: false, optOuts: 0 }
  const titleOf = async (slug: string) =>
    (await site.rows<{ titulo: string }>('select titulo from campaigns where slug = $1', [slug]))[0]?.titulo ?? ''

  beforeEach(async () => {
    for (const table of ['news_opt_outs', 'news']) await site.rows(`delete from ${table}`)
  })

  test('offers the choices that apply, with the current one selected, and shows no personal data', async () => {
    const { link, email, nome } = await sign()

    const page = await fetch(site.url + link)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const main = await mainOf(page)
    expect(radios(main)).toEqual(['todas*', 'sem-campanha', 'nenhuma', 'nunca'])
    expect(main).toContain(await titleOf('brasilquerpaz'))
    for (const secret of [email, nome]) expect(main).not.toContain(secret)
    expect(await mailboxState()).toEqual(receiving)

    const contact = aContact()
    await postJson(`${site.url}/api/contacts`, contact)
    const ofForm = linkIn((await emailsTo(contact.email))[0], 'descadastrar')
    // A person who never asked for news gets none.
    expect(radios(await mainOf(fetch(site.url + ofForm)))).toEqual(['todas', 'nenhuma*', 'nunca'])
  }, 30_000)

  test('stores each choice, may go back to all news, and repeating changes nothing', async () => {
    const { link, confirm } = await sign()
    await submit(confirm)
    const steps = [
      ['sem-campanha', { ...receiving, optOuts: 1 }, 'Sem novidades desta campanha'],
      ['nenhuma', { ...receiving, left: true, optOuts: 1 }, 'Você saiu das novidades'],
      ['sem-campanha', { ...receiving, optOuts: 1 }, 'Sem novidades desta campanha'],
      ['todas', receiving, 'Você recebe as novidades'],
      ['nenhuma', { ...receiving, left: true }, 'Você saiu das novidades'],
      ['todas', receiving, 'Você recebe as novidades'],
    ] as const
    for (const [choice, state, title] of steps)
      for (let times = 0; times < 2; times++) {
        const answer = await choose(link, choice)
        expect(answer.status).toBe(200)
        const main = await mainOf(answer)
        expect(main).toContain(title)
        expect(radios(main)).toContain(`${choice}*`)
        expect(await mailboxState()).toEqual(state)
        expect((await preferences(link)).escolha).toBe(choice)
      }
  }, 30_000)

  test('says that a suspended address gets no e-mail, and whom to write to, until it is allowed again', async () => {
    const { link, email } = await sign()
    const isSuspended = async () => (await mainOf(fetch(site.url + link))).includes('este endereço estão suspensos')
    const suppress = (value: string) =>
      site.rows(
        `insert into enderecos ("addressHmac", "rejectedAt") values ($1, ${value})
        on conflict ("addressHmac") do update set "rejectedAt" = ${value}`,
        [addressHmac(site.addressKey, email)],
      )
    expect([await isSuspended(), await preferences(link)]).toMatchObject([false, { suspenso: false }])
    await suppress('now()')
    expect([await isSuspended(), await preferences(link)]).toMatchObject([true, { escolha: 'todas', suspenso: true }])
    // After a choice as well: it is stored, but no e-mail follows.
    expect(await mainOf(choose(link, 'todas'))).toMatch(/este endereço estão suspensos.*mailto:/s)
    await suppress('null')
    expect(await isSuspended()).toBe(false)
  }, 30_000)

  test('the API answers each choice with its message', async () => {
    const { link } = await sign()
    const messages = {
      todas: 'Pronto: você recebe todas as novidades.',
      'sem-campanha': 'Pronto: você não recebe mais novidades desta campanha.',
      nenhuma: 'Pronto: você não recebe mais novidades nem lembretes.',
      nunca: 'Pronto: não escrevemos mais para este endereço.',
    }
    for (const [escolha, message] of Object.entries(messages)) {
      const answer = await postJson(`${site.url}/api${link}`, { escolha })
      expect([answer.status, await answer.json()]).toEqual([200, { success: true, message }])
    }
  }, 30_000)

  test.each([
    ['the form of RFC 8058', { 'List-Unsubscribe': 'One-Click' }],
    ['an unknown choice', { escolha: 'outra' }],
    ['nothing', {}],
  ])(
    'a POST of %s stops all news',
    async (_, body) => {
      const { link } = await sign()
      const answer = await postForm(site.url + link, body, { redirect: 'manual' })
      expect([answer.status, await mainOf(answer)]).toEqual([200, expect.stringContaining('Você saiu das novidades')])
      expect(await mailboxState()).toEqual({ ...receiving, left: true })
    },
    30_000,
  )

  test('"Nunca mais me escrevam" stays permanent', async () => {
    const { link } = await sign()
    expect(await mainOf(choose(link, 'nunca'))).toContain('Não escrevemos mais para você')

    for (const choice of ['todas', 'sem-campanha', 'manter']) {
      expect((await choose(link, choice)).status).toBe(410)
      const refused = await postJson(`${site.url}/api${link}`, { escolha: choice })
      expect([refused.status, await refused.json()]).toEqual([
        410,
        expect.objectContaining({ code: 'link-already-silent' }),
      ])
    }
    for (const choice of ['nenhuma', 'nunca']) expect((await choose(link, choice)).status).toBe(200)
    expect(await mailboxState()).toEqual({ left: true, silent: true, optOuts: 0 })
    expect((await fetch(site.url + link)).status).toBe(410)
  }, 30_000)

  test('a link without a campaign refuses the choice of a campaign, and changes nothing', async () => {
    const contact = aContact()
    await postJson(`${site.url}/api/contacts`, contact)
    const link = linkIn((await emailsTo(contact.email))[0], 'descadastrar')

    const page = await choose(link, 'sem-campanha')
    expect([page.status, await mainOf(page)]).toEqual([422, expect.stringContaining('Este link não é de uma campanha')])
    expect((await postJson(`${site.url}/api${link}`, { escolha: 'sem-campanha' })).status).toBe(400)
    expect(await mailboxState()).toEqual(receiving)
  }, 30_000)

  test('choosing news stores the consent and confirms the address, and says so before', async () => {
    const { link, email } = await sign({ aceitaNovidades: false })
    expect(await preferences(link)).toMatchObject({ escolha: 'nenhuma', confirma: true })
    expect(await mainOf(fetch(site.url + link))).toContain('também confirma que este e-mail é seu')
    await choose(link, 'nenhuma')
    await choose(link, 'todas')

    expect(
      await site.rows(
        'select "aceitaNovidades" as accepts, "confirmadoEm" is not null as confirmed from peticoes where email = $1',
        [email],
      ),
    ).toEqual([{ accepts: true, confirmed: true }])
    expect(await preferences(link)).toMatchObject({ escolha: 'todas', confirma: false })
  }, 30_000)

  test('choosing news confirms the record of the link alone', async () => {
    const first = await sign()
    await submit(first.confirm)
    const second = await sign({ email: first.email, aceitaNovidades: false }, 'fim-escala-6x1', 2)
    const third = await sign({ email: first.email, aceitaNovidades: false }, 'contra-pec-da-impunidade', 3)
    expect(await preferences(second.link)).toMatchObject({ escolha: 'todas', confirma: true })
    expect(third.link).not.toBe(second.link)

    await choose(second.link, 'todas')

    const subscribed = `select campanha from peticoes where "aceitaNovidades" and "confirmadoEm" is not null order by 1`
    expect(await site.rows(subscribed)).toEqual([{ campanha: 'brasilquerpaz' }, { campanha: 'fim-escala-6x1' }])
  }, 30_000)

  test('opt-outs of campaigns are deleted when the last record of the mailbox is erased', async () => {
    const first = await sign()
    await sign({ email: first.email }, 'fim-escala-6x1', 2)
    await choose(first.link, 'sem-campanha')
    const admin = await enter(site)
    const left: unknown[] = []
    for (const { id } of await site.rows<{ id: string }>('select id from peticoes order by id')) {
      await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${id}`)
      left.push((await site.rows('select 1 from news_opt_outs')).length)
    }
    expect(left).toEqual([1, 0])
  }, 30_000)

  test('opting out changes no consent and confirms nothing', async () => {
    const { link } = await sign()
    for (const choice of ['nenhuma', 'manter']) await choose(link, choice)
    expect(await site.rows('select "confirmadoEm" from peticoes')).toEqual([{ confirmadoEm: null }])
  }, 30_000)

  test('choices cover all records of a mailbox, and another campaign stays opted out unless it is chosen again', async () => {
    const first = await sign()
    const [local, domain] = first.email.split('@')
    const tagged = await sign({ email: `${local}+etiqueta@${domain}` }, 'fim-escala-6x1')
    await choose(first.link, 'sem-campanha')

    const titles = [await titleOf('brasilquerpaz')]
    expect(await preferences(tagged.link)).toMatchObject({ escolha: 'todas', outras: titles })
    expect(radios(await mainOf(fetch(site.url + tagged.link)))).toEqual([
      ...['todas', 'manter*', 'sem-campanha', 'nenhuma', 'nunca'],
    ])
    await choose(tagged.link, 'manter')
    expect(await mailboxState()).toEqual({ ...receiving, optOuts: 1 })
    await choose(tagged.link, 'sem-campanha')
    expect(await mailboxState()).toEqual({ ...receiving, optOuts: 2 })
    await choose(tagged.link, 'todas')
    expect(await preferences(first.link)).toMatchObject({ escolha: 'todas', outras: [] })
  }, 30_000)

  describe('of the e-mail of a news item', () => {
    async function newsLink(link: string) {
      const [item] = await site.rows<{ id: string }>(
        `insert into news ("campaignId", title, html, segment, author)
        select id, 'Vencemos', '<p>Vencemos</p>', '{}', 'ana' from campaigns where slug = 'fim-escala-6x1' returning id`,
      )
      await site.rows(`insert into news_sends ("newsId", status, segment) values ($1, 'sending', '{}')`, [item?.id])
      await site.rows('update email_tokens set "newsId" = $1 where digest = $2', [
        item?.id,
        digestOf(link.split('/').at(-1) ?? ''),
      ])
    }
    const counted = async () => (await site.rows('select unsubscribed from news_sends'))[0]?.unsubscribed

    test('offers the campaign of that news item', async () => {
      const { link } = await sign()
      await newsLink(link)
      expect(await preferences(link)).toMatchObject({ escolha: 'todas', campanha: await titleOf('fim-escala-6x1') })
      await choose(link, 'sem-campanha')
      expect(await site.rows('select slug from news_opt_outs join campaigns on id = "campaignId"')).toEqual([
        { slug: 'fim-escala-6x1' },
      ])
    }, 30_000)

    test.each(['sem-campanha', 'nenhuma', 'nunca'])(
      'counts a mailbox that leaves by %s once',
      async (choice) => {
        const { link } = await sign()
        await newsLink(link)
        await Promise.all(Array.from({ length: 8 }, () => choose(link, choice)))
        await submit(link)
        expect(await counted()).toBe(1)
      },
      30_000,
    )

    test('does not count a choice that keeps the news', async () => {
      const { link } = await sign()
      await newsLink(link)
      for (const choice of ['todas', 'manter']) await choose(link, choice)
      expect(await counted()).toBe(0)
    }, 30_000)
  })

  test('an opt-out of a campaign is repeated after a restore of an older backup, and no address is in the journal', async () => {
    const before = new Date()
    const [one, other] = [await sign(), await sign()]
    await choose(one.link, 'sem-campanha')
    await choose(one.link, 'sem-campanha')
    const journal = readFileSync(join(site.dataDir, 'remocoes.txt'), 'utf8')
    expect(journal).toMatch(/^\S+ refused-campaign [0-9a-f]{64} \d+$/m)
    expect(journal).not.toContain(digestOf(one.email).toString('hex'))
    await site.rows('delete from news_opt_outs')

    const client = new pg.Client(site.engine.direct)
    await client.connect()
    onTestFinished(() => client.end())
    bindAddressKey(client, site.addressKey)
    const replayed = await replayRemovals(client, readRemovals({ dataDir: site.dataDir }, before))

    // Those of the tests before are in the journal too.
    expect(replayed.unsubscribed).toBeGreaterThan(0)
    expect((await preferences(one.link)).escolha).toBe('sem-campanha')
    expect((await preferences(other.link)).escolha).toBe('todas')
    const later = readRemovals({ dataDir: site.dataDir }, new Date(Date.now() + 3_600_000))
    expect(later.refusals).toEqual([])
  }, 30_000)
})
