// A repeated signature with the news box ticked: the mailbox is asked once by e-mail, and only its answer subscribes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canonicalEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { digestOf } from '#server/core/tokens.ts'
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

const asksForNews = 'Confirme que quer receber novidades'
const juros = '/api/peticoes'
const peace = '/api/campaigns/brasilquerpaz/signatures'

type Person = ReturnType<typeof aSignature>

async function sign(person: Person, fields: { aceitaNovidades?: boolean; email?: string } = {}, path = peace) {
  const answer = await postJson(site.url + path, { ...person, ...fields })
  return { status: answer.status, body: await answer.text() }
}

const emailsTo = async (email: string) => (await site.deliveries.localEmails()).filter(({ to }) => to === email)
const asksTo = async (email: string) => (await emailsTo(email)).filter(({ subject }) => subject === asksForNews)

/**
 * Repeats are queued in the order in which they came. Once the last one has been noted and nothing waits, every e-mail is out.
 * The marker signs again unticked after three days, which always leads to a notice.
 */
async function everythingIsSent(): Promise<void> {
  const marker = aSignature()
  await sign(marker)
  await site.rows(`update peticoes set "createdAt" = "createdAt" - interval '3 days' where email = $1`, [marker.email])
  await sign(marker)
  const noticed = () => site.rows('select 1 from peticoes where email = $1 and "avisadoEm" is not null', [marker.email])
  await expect.poll(async () => (await noticed()).length, { timeout: 10_000 }).toBe(1)
  await expect
    .poll(() => site.rows(`select tipo from outbox where tipo not like 'planilha%' and tipo <> 'lembretes'`), {
      timeout: 10_000,
    })
    .toEqual([])
}

async function linkIn(id: string | undefined, path: string): Promise<string> {
  const { html = '' } = (await site.deliveries.localEmail(id ?? '')) ?? {}
  return new RegExp(`https://mobiliza\\.example\\.org(/${path}/[\\w-]+)"`).exec(html)?.[1] ?? ''
}

const newestAsk = async (email: string) => linkIn((await asksTo(email))[0]?.id, 'confirmar')
const press = (link: string, fields = {}) => postForm(site.url + link, fields, { redirect: 'manual' })

/** Signs, gets the e-mail, and uses its unsubscribe link. */
async function signedAndLeft(fields: Parameters<typeof aSignature>[0] = {}) {
  const person = aSignature(fields)
  await sign(person)
  await everythingIsSent()
  const [first] = await emailsTo(person.email)
  const leave = await linkIn(first?.id, 'descadastrar')
  expect((await press(leave)).status).toBe(200)
  return { person, leave, firstConfirm: await linkIn(first?.id, 'confirmar') }
}

const consent = async (email: string) =>
  (
    await site.rows(
      `select "aceitaNovidades" as accepts, "confirmadoEm" is not null as confirmed,
        coalesce((select "descadastradoEm" is not null from enderecos where endereco = $2), false) as left
      from peticoes where email = $1`,
      [email, digestOf(mailboxOf(canonicalEmail(email)))],
    )
  )[0]

function inSheet(email: string): string | undefined {
  const [titles = [], ...rows] = readCsv(readFileSync(join(site.dataDir, 'planilhas', 'brasilquerpaz.csv'), 'utf8'))
  return rows.find((row) => row.includes(email))?.[titles.indexOf('Aceita novidades')]
}

describe('who has left the news', () => {
  test.each([
    ['had ticked the box the first time', true],
    ['had not ticked it', false],
  ])(
    'and %s is asked once by e-mail and subscribed by its button alone',
    async (_, aceitaNovidades) => {
      const { person } = await signedAndLeft({ aceitaNovidades })
      expect(await asksTo(person.email)).toEqual([])

      for (let times = 0; times < 3; times++) await sign(person, { aceitaNovidades: true })
      await everythingIsSent()

      expect((await asksTo(person.email)).length).toBe(1)
      expect(await consent(person.email)).toEqual({ accepts: aceitaNovidades, confirmed: false, left: true })
      const link = await newestAsk(person.email)
      const page = await (await fetch(site.url + link)).text()
      expect(page).toContain('Quero receber novidades')
      for (const secret of [person.nome, person.email]) expect(page).not.toContain(secret)
      expect(await consent(person.email)).toMatchObject({ left: true })

      const answers = [await press(link), await press(link)]

      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await answers[0]?.text()).toContain('Agora você recebe novidades')
      expect(await consent(person.email)).toEqual({ accepts: true, confirmed: true, left: false })
      await expect.poll(() => inSheet(person.email), { timeout: 10_000 }).toBe('aceita')
      const used = await fetch(site.url + link)
      expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('Você já recebe novidades.')])
    },
    60_000,
  )

  test('is asked again after another unsubscribe, and the earlier link subscribes nobody any more', async () => {
    const { person, leave } = await signedAndLeft({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: true })
    await everythingIsSent()
    const earlier = await newestAsk(person.email)
    await press(earlier)
    await press(leave)
    expect(await consent(person.email)).toMatchObject({ left: true })

    const void_ = [await fetch(site.url + earlier), await press(earlier)]
    expect(void_.map(({ status }) => status)).toEqual([410, 410])
    expect(await consent(person.email)).toMatchObject({ left: true })

    for (let times = 0; times < 2; times++) await sign(person, { aceitaNovidades: true })
    await everythingIsSent()

    expect((await asksTo(person.email)).length).toBe(2)
    await press(await newestAsk(person.email))
    expect(await consent(person.email)).toMatchObject({ left: false })
  }, 60_000)

  test('is not subscribed by the confirmation link of the first signature', async () => {
    const { person, firstConfirm } = await signedAndLeft({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: true })
    await everythingIsSent()

    await press(firstConfirm)

    expect(await consent(person.email)).toMatchObject({ confirmed: true, left: true })
  }, 30_000)

  test('and repeats without the box is asked nothing', async () => {
    const { person } = await signedAndLeft({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: false })
    await everythingIsSent()
    expect(await asksTo(person.email)).toEqual([])
  }, 30_000)

  test.each(['voluntario', 'influenciador', 'lider'])(
    'is asked by the e-mail of a repeated form (%s), whose button alone subscribes',
    async (form) => {
      const { person, leave } = await signedAndLeft()
      const { email } = person
      const send = (aceitaNovidades: boolean) => {
        if (form === 'voluntario') return postJson(`${site.url}/api/contacts`, aContact({ email, aceitaNovidades }))
        return form === 'influenciador'
          ? postJson(`${site.url}/api/lideres`, anInfluencer({ email, aceitaNovidades }))
          : postJson(`${site.url}/api/formulario-lideres`, aLeader({ email, aceitaNovidades }))
      }
      await send(false)
      await everythingIsSent()
      expect(await linkIn((await emailsTo(email))[0]?.id, 'confirmar')).toBe('')
      await send(true)
      await everythingIsSent()
      const link = await linkIn((await emailsTo(email))[0]?.id, 'confirmar')
      expect(await consent(email)).toMatchObject({ left: true })

      expect((await press(link)).status).toBe(200)
      expect(await consent(email)).toMatchObject({ left: false })

      // The link is void once its mailbox has left again.
      await press(leave)
      expect([(await fetch(site.url + link)).status, (await press(link)).status]).toEqual([410, 410])
      expect(await consent(email)).toMatchObject({ left: true })
    },
    60_000,
  )
})

describe('who never accepted the news', () => {
  test('is asked once per campaign, subscribed by the button, and then asked no more', async () => {
    const person = aSignature()
    for (const path of [peace, juros]) await sign(person, {}, path)
    for (const path of [peace, peace, juros]) await sign(person, { aceitaNovidades: true }, path)
    await everythingIsSent()
    expect((await asksTo(person.email)).length).toBe(2)

    for (const { id } of await asksTo(person.email)) await press(await linkIn(id, 'confirmar'))
    for (const path of [peace, juros]) await sign(person, { aceitaNovidades: true }, path)
    await everythingIsSent()

    expect((await asksTo(person.email)).length).toBe(2)
    expect(await site.rows(`select "aceitaNovidades" from peticoes where email = $1`, [person.email])).toEqual([
      { aceitaNovidades: true },
      { aceitaNovidades: true },
    ])
  }, 30_000)

  test('is answered like a first signature; who had ticked the box the first time is asked nothing', async () => {
    const person = aSignature()
    const ticked = { aceitaNovidades: true }
    expect(await sign(person, ticked)).toEqual(await sign(aSignature(), ticked))
    expect(await sign(person, ticked)).toEqual(await sign(aSignature(), ticked))

    await everythingIsSent()
    expect(await asksTo(person.email)).toEqual([])
  }, 30_000)

  test('gets one e-mail, not two, when a notice of the repeat is due as well', async () => {
    const person = aSignature()
    await sign(person)
    await everythingIsSent()
    await site.rows(`update peticoes set "createdAt" = "createdAt" - interval '3 days'`)

    await sign(person, { aceitaNovidades: true })
    await everythingIsSent()

    expect((await emailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      asksForNews,
      'Falta um toque: confirme sua assinatura',
    ])
  }, 30_000)
})

describe('a stranger', () => {
  test('cannot flood a mailbox through its +tags', async () => {
    const { email, ...person } = aSignature()
    const [local, domain] = email.split('@')
    const tagged = (n: number) => ({ ...person, email: `${local}+${n}@${domain}` })
    for (let n = 0; n < 3; n++) await sign(tagged(n))
    for (let n = 0; n < 3; n++) await sign(tagged(n), { aceitaNovidades: true })
    await everythingIsSent()

    const asks = await Promise.all([0, 1, 2].map((n) => asksTo(`${local}+${n}@${domain}`)))
    expect(asks.flat().length).toBe(1)
  }, 30_000)

  test('cannot make us write to a mailbox that wants no e-mail, or that has had its five', async () => {
    const { person: silent, leave } = await signedAndLeft({ aceitaNovidades: true })
    await press(leave, { escolha: 'nunca' })
    const { person: full } = await signedAndLeft({ aceitaNovidades: true })
    await site.rows('update emails_por_endereco set n = 5 where endereco = $1', [digestOf(canonicalEmail(full.email))])

    for (const person of [silent, full]) await sign(person, { aceitaNovidades: true })
    await everythingIsSent()

    expect([...(await asksTo(silent.email)), ...(await asksTo(full.email))]).toEqual([])
  }, 60_000)

  test('cannot use the news link to undo "Nunca mais me escrevam"', async () => {
    const { person, leave } = await signedAndLeft({ aceitaNovidades: true })
    await sign(person, { aceitaNovidades: true })
    await everythingIsSent()
    const link = await newestAsk(person.email)
    expect(link).not.toBe('')
    await press(leave, { escolha: 'nunca' })

    expect((await press(link)).status).toBe(410)
    expect(await consent(person.email)).toMatchObject({ left: true, confirmed: false })
  }, 30_000)
})
