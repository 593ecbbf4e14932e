// A repeated signature with news consent: the mailbox gets one e-mail, and only its button subscribes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailboxHmac } from '#server/core/address-key.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ EMAILS_PER_MINUTE: '60000' }, { deliveries: { pollMs: 50 } })
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const newsRequestSubject = 'Confirme que quer receber novidades'
const juros = '/api/peticoes'
const peace = '/api/campaigns/brasilquerpaz/signatures'

type Person = ReturnType<typeof aSignature>

async function sign(person: Person, fields: { aceitaNovidades?: boolean; email?: string } = {}, path = peace) {
  const answer = await postJson(site.url + path, { ...person, ...fields })
  return { status: answer.status, body: await answer.text() }
}

const emailsTo = async (email: string) => (await site.deliveries.localEmails()).filter(({ to }) => to === email)
const newsRequestsTo = async (email: string) =>
  (await emailsTo(email)).filter(({ subject }) => subject === newsRequestSubject)

/**
 * Repeats are queued in order of arrival. When the last one has its notice and the queue is empty, all mail is sent.
 * The marker signs again without consent after three days, which always leads to a notice.
 */
async function waitUntilSent(): Promise<void> {
  const marker = aSignature()
  await sign(marker)
  await site.rows(`update peticoes set "createdAt" = "createdAt" - interval '3 days' where email = $1`, [marker.email])
  await sign(marker)
  const noticed = () =>
    site.rows('select 1 from peticoes where email = $1 and "notifiedAt" is not null', [marker.email])
  await expect.poll(async () => (await noticed()).length, { timeout: 10_000 }).toBe(1)
  await expect
    .poll(() => site.rows(`select kind from outbox where kind not like 'planilha%' and kind <> 'lembretes'`), {
      timeout: 10_000,
    })
    .toEqual([])
}

async function linkIn(id: string | undefined, path: string): Promise<string> {
  const { html = '' } = (await site.deliveries.localEmail(id ?? '')) ?? {}
  return new RegExp(`https://mobiliza\\.example\\.org(/${path}/[\\w-]+)"`).exec(html)?.[1] ?? ''
}

const newestRequestLink = async (email: string) => linkIn((await newsRequestsTo(email))[0]?.id, 'confirmar')
const submit = (link: string, fields = {}) => postForm(site.url + link, fields, { redirect: 'manual' })

/** Signs, gets the e-mail, and uses its unsubscribe link. */
async function signAndUnsubscribe(fields: Parameters<typeof aSignature>[0] = {}) {
  const person = aSignature(fields)
  await sign(person)
  await waitUntilSent()
  const [first] = await emailsTo(person.email)
  const leave = await linkIn(first?.id, 'descadastrar')
  expect((await submit(leave)).status).toBe(200)
  return { person, leave, firstConfirm: await linkIn(first?.id, 'confirmar') }
}

const consent = async (email: string) =>
  (
    await site.rows(
      `select "aceitaNovidades" as accepts, "confirmadoEm" is not null as confirmed,
        coalesce((select "unsubscribedAt" is not null from enderecos where "addressHmac" = $2), false) as left
      from peticoes where email = $1`,
      [email, mailboxHmac(site.addressKey, email)],
    )
  )[0]

function inSheet(email: string): string | undefined {
  const [titles = [], ...rows] = readCsv(readFileSync(join(site.dataDir, 'planilhas', 'brasilquerpaz.csv'), 'utf8'))
  return rows.find((row) => row.includes(email))?.[titles.indexOf('Aceita novidades')]
}

describe('a person who unsubscribed from the news', () => {
  test.each([
    ['had accepted the news at first', true],
    ['had not accepted them', false],
  ])(
    'and %s gets one e-mail and is subscribed only by its button',
    async (_, aceitaNovidades) => {
      const { person } = await signAndUnsubscribe({ aceitaNovidades })
      expect(await newsRequestsTo(person.email)).toEqual([])

      for (let times = 0; times < 3; times++) await sign(person, { aceitaNovidades: true })
      await waitUntilSent()

      expect((await newsRequestsTo(person.email)).length).toBe(1)
      expect(await consent(person.email)).toEqual({ accepts: aceitaNovidades, confirmed: false, left: true })
      const link = await newestRequestLink(person.email)
      const page = await (await fetch(site.url + link)).text()
      expect(page).toContain('Quero receber novidades')
      for (const secret of [person.nome, person.email]) expect(page).not.toContain(secret)
      expect(await consent(person.email)).toMatchObject({ left: true })

      const answers = [await submit(link), await submit(link)]

      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await answers[0]?.text()).toContain('Agora você recebe novidades')
      expect(await consent(person.email)).toEqual({ accepts: true, confirmed: true, left: false })
      await expect.poll(() => inSheet(person.email), { timeout: 10_000 }).toBe('aceita')
      const used = await fetch(site.url + link)
      expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('Você já recebe novidades.')])
    },
    60_000,
  )

  test('gets another e-mail after unsubscribing again, and the earlier link is no longer valid', async () => {
    const { person, leave } = await signAndUnsubscribe({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: true })
    await waitUntilSent()
    const earlier = await newestRequestLink(person.email)
    await submit(earlier)
    await submit(leave)
    expect(await consent(person.email)).toMatchObject({ left: true })

    const expired = [await fetch(site.url + earlier), await submit(earlier)]
    expect(expired.map(({ status }) => status)).toEqual([410, 410])
    expect(await consent(person.email)).toMatchObject({ left: true })

    for (let times = 0; times < 2; times++) await sign(person, { aceitaNovidades: true })
    await waitUntilSent()

    expect((await newsRequestsTo(person.email)).length).toBe(2)
    await submit(await newestRequestLink(person.email))
    expect(await consent(person.email)).toMatchObject({ left: false })
  }, 60_000)

  test('is not subscribed by the confirmation link of the first signature', async () => {
    const { person, firstConfirm } = await signAndUnsubscribe({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: true })
    await waitUntilSent()

    await submit(firstConfirm)

    expect(await consent(person.email)).toMatchObject({ confirmed: true, left: true })
  }, 30_000)

  test('and signs again without consent gets no e-mail', async () => {
    const { person } = await signAndUnsubscribe({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: false })
    await waitUntilSent()
    expect(await newsRequestsTo(person.email)).toEqual([])
  }, 30_000)

  test.each(['voluntario', 'influenciador', 'lider'])(
    'gets a button in the e-mail of a later form (%s), and only that subscribes',
    async (form) => {
      const { person, leave } = await signAndUnsubscribe()
      const { email } = person
      const send = (aceitaNovidades: boolean) => {
        if (form === 'voluntario') return postJson(`${site.url}/api/contacts`, aContact({ email, aceitaNovidades }))
        return form === 'influenciador'
          ? postJson(`${site.url}/api/lideres`, anInfluencer({ email, aceitaNovidades }))
          : postJson(`${site.url}/api/formulario-lideres`, aLeader({ email, aceitaNovidades }))
      }
      await send(false)
      await waitUntilSent()
      expect(await linkIn((await emailsTo(email))[0]?.id, 'confirmar')).toBe('')
      await send(true)
      await waitUntilSent()
      const link = await linkIn((await emailsTo(email))[0]?.id, 'confirmar')
      expect(await consent(email)).toMatchObject({ left: true })

      expect((await submit(link)).status).toBe(200)
      expect(await consent(email)).toMatchObject({ left: false })

      // The link is not valid any more after the mailbox has unsubscribed again.
      await submit(leave)
      expect([(await fetch(site.url + link)).status, (await submit(link)).status]).toEqual([410, 410])
      expect(await consent(email)).toMatchObject({ left: true })
    },
    60_000,
  )
})

describe('a person who never accepted the news', () => {
  test('gets one e-mail per campaign, is subscribed by the button, and then gets no more', async () => {
    const person = aSignature()
    for (const path of [peace, juros]) await sign(person, {}, path)
    for (const path of [peace, peace, juros]) await sign(person, { aceitaNovidades: true }, path)
    await waitUntilSent()
    expect((await newsRequestsTo(person.email)).length).toBe(2)

    for (const { id } of await newsRequestsTo(person.email)) await submit(await linkIn(id, 'confirmar'))
    for (const path of [peace, juros]) await sign(person, { aceitaNovidades: true }, path)
    await waitUntilSent()

    expect((await newsRequestsTo(person.email)).length).toBe(2)
    expect(await site.rows(`select "aceitaNovidades" from peticoes where email = $1`, [person.email])).toEqual([
      { aceitaNovidades: true },
      { aceitaNovidades: true },
    ])
  }, 30_000)

  test('gets the same answer as for a first signature; a person who had accepted the news gets no e-mail', async () => {
    const person = aSignature()
    const ticked = { aceitaNovidades: true }
    expect(await sign(person, ticked)).toEqual(await sign(aSignature(), ticked))
    expect(await sign(person, ticked)).toEqual(await sign(aSignature(), ticked))

    await waitUntilSent()
    expect(await newsRequestsTo(person.email)).toEqual([])
  }, 30_000)

  test('gets one e-mail, not two, when a notice of the repeat is due as well', async () => {
    const person = aSignature()
    await sign(person)
    await waitUntilSent()
    await site.rows(`update peticoes set "createdAt" = "createdAt" - interval '3 days'`)

    await sign(person, { aceitaNovidades: true })
    await waitUntilSent()

    expect((await emailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      newsRequestSubject,
      'Falta um toque: confirme sua assinatura',
    ])
  }, 30_000)
})

describe('another person with the address', () => {
  test('cannot flood a mailbox through its +tags', async () => {
    const { email, ...person } = aSignature()
    const [local, domain] = email.split('@')
    const tagged = (n: number) => ({ ...person, email: `${local}+${n}@${domain}` })
    for (let n = 0; n < 3; n++) await sign(tagged(n))
    for (let n = 0; n < 3; n++) await sign(tagged(n), { aceitaNovidades: true })
    await waitUntilSent()

    const requests = await Promise.all([0, 1, 2].map((n) => newsRequestsTo(`${local}+${n}@${domain}`)))
    expect(requests.flat().length).toBe(1)
  }, 30_000)

  test('cannot cause e-mails to a mailbox that refused all e-mail or has reached its quota', async () => {
    const { person: silent, leave } = await signAndUnsubscribe({ aceitaNovidades: true })
    await submit(leave, { escolha: 'nunca' })
    const { person: full } = await signAndUnsubscribe({ aceitaNovidades: true })
    await site.rows('update emails_por_endereco set n = 5 where "addressHmac" = $1', [
      mailboxHmac(site.addressKey, full.email),
    ])

    for (const person of [silent, full]) await sign(person, { aceitaNovidades: true })
    await waitUntilSent()

    expect([...(await newsRequestsTo(silent.email)), ...(await newsRequestsTo(full.email))]).toEqual([])
  }, 60_000)

  test('cannot undo "Nunca mais me escrevam" with the news link', async () => {
    const { person, leave } = await signAndUnsubscribe({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: true })
    await waitUntilSent()
    const link = await newestRequestLink(person.email)
    expect(link).not.toBe('')
    await submit(leave, { escolha: 'nunca' })

    expect((await submit(link)).status).toBe(410)
    expect(await consent(person.email)).toMatchObject({ left: true, confirmed: false })
  }, 30_000)
})
