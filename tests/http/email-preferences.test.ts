// News preferences of a mailbox: confirmation of forms with the news box, and the page of the unsubscribe link.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enter } from '#tests/helpers/administrator.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aContact, aLeader, anInfluencer } from '#tests/helpers/factories.ts'
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
          insert into enderecos ("addressDigest", "unsubscribedAt") values (sha256('${later.email}'), now() + interval '1 minute');
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
