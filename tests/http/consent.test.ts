// News consent is the same in the list, a person's record, CSV, XLSX and the spreadsheet, for all records of a mailbox.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import pg from 'pg'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NewsConsent, newsConsents, type PeopleKind } from '#contract/admin/people.ts'
import { csvRecord } from '#contract/csv.ts'
import { addressHmac, mailboxHmac } from '#server/core/address-key.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { createLog } from '#server/core/log.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import { openAddressKey } from '#server/db/address-key.ts'
import { mailboxHmacSql, typedMailboxSql } from '#server/db/mailbox.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { renameColumns } from '#tests/helpers/early-migrations.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { seed } from '#tests/helpers/random.ts'
import { testConfig } from '#tests/helpers/template.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({ EMAILS_PER_MINUTE: '60000' }, { deliveries: { pollMs: 100 } })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

type Form = 'juros' | 'brasilquerpaz' | 'voluntarios' | 'influenciadores' | 'lideres'
const kindOf = (form: Form): PeopleKind => (form === 'juros' || form === 'brasilquerpaz' ? 'assinaturas' : form)
const tables = {
  assinaturas: 'peticoes',
  voluntarios: 'contacts',
  influenciadores: 'influenciadores',
  lideres: 'lideres',
}
const tabs: Record<Form, string> = {
  juros: 'juros',
  brasilquerpaz: 'brasilquerpaz',
  voluntarios: 'Voluntarios',
  influenciadores: 'Influenciadores',
  lideres: 'Lideres',
}

const send: Record<Form, (email: string, aceitaNovidades: boolean) => Promise<Response>> = {
  juros: (email, aceitaNovidades) => postJson(`${site.url}/api/peticoes`, aSignature({ email, aceitaNovidades })),
  brasilquerpaz: (email, aceitaNovidades) =>
    postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, aSignature({ email, aceitaNovidades })),
  voluntarios: (email, aceitaNovidades) => postJson(`${site.url}/api/contacts`, aContact({ email, aceitaNovidades })),
  influenciadores: (email, aceitaNovidades) =>
    postJson(`${site.url}/api/lideres`, anInfluencer({ email, aceitaNovidades })),
  lideres: (email, aceitaNovidades) =>
    postJson(`${site.url}/api/formulario-lideres`, aLeader({ email, aceitaNovidades })),
}

/** Submits the form of a link as an e-mail about the record contains it. */
async function submitLink(
  path: 'confirmar' | 'descadastrar',
  { id, email }: { id: string; email: string },
  fields = {},
) {
  const secret = linkSecret()
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt") values ($1, $2, $3, $4, now() + interval '1 day')`,
    [digestOf(secret), path, mailboxHmac(site.addressKey, email), id],
  )
  return postForm(`${site.url}/${path}/${secret}`, fields, { redirect: 'manual' })
}

/** Consent and confirmation of a record as displayed. */
interface DisplayedState {
  novidades: string
  confirmada: string
}
type StatesById = Record<string, DisplayedState>

interface ListedPerson {
  id: string
  email: string
  novidades: NewsConsent
  confirmadoEm?: string
}

async function inList(kind: PeopleKind): Promise<StatesById> {
  const { pessoas } = await admin.ask<{ pessoas: ListedPerson[] }>('GET', `/api/admin/pessoas/${kind}`)
  return Object.fromEntries(
    pessoas.map(({ id, novidades, confirmadoEm }) => [
      id,
      { novidades: newsConsents[novidades], confirmada: confirmadoEm ? 'sim' : 'não' },
    ]),
  )
}

async function inExport(kind: PeopleKind, formato: 'csv' | 'xlsx'): Promise<StatesById> {
  const answer = await admin.call('GET', `/api/admin/pessoas/${kind}/exportar?formato=${formato}`)
  const { file } = await downloadExport(answer)
  const rows = formato === 'csv' ? readCsv(file.toString()) : ((await readXlsxFile(file))[0]?.data ?? [])
  return statesIn(rows as string[][], { id: 'ID', novidades: 'Aceita novidades' })
}

function inSheet(form: Form): StatesById {
  const file = join(site.dataDir, 'planilhas', `${tabs[form]}.csv`)
  return existsSync(file)
    ? statesIn(readCsv(readFileSync(file, 'utf8')), { id: 'ID', novidades: 'Aceita novidades' })
    : {}
}

function statesIn([titles = [], ...rows]: string[][], columns: { id: string; novidades: string }): StatesById {
  const columnIndex = (title: string) => titles.indexOf(title)
  return Object.fromEntries(
    rows.map((row) => [
      row[columnIndex(columns.id)],
      { novidades: row[columnIndex(columns.novidades)] ?? '', confirmada: row[columnIndex('Confirmada')] ?? 'não' },
    ]),
  )
}

interface Stored {
  id: string
  form: Form
  email: string
  ticked: boolean
  at: number
  confirmed: boolean
}

const mailboxes = ['beltrana.consentida', 'sicrano.consentido']
const address = fc.record({ mailbox: fc.constantFrom(0, 1), tag: fc.constantFrom('', '+a', '+b') })
const forms: Form[] = ['juros', 'brasilquerpaz', 'voluntarios', 'influenciadores', 'lideres']
type Step =
  | { does: 'send'; form: Form; address: { mailbox: number; tag: string }; ticked: boolean }
  | { does: 'leave' | 'confirm'; which: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      form: fc.constantFrom(...forms),
      address,
      ticked: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constantFrom('leave' as const, 'confirm' as const), which: fc.nat(20) }),
  },
)

const sent = (form: Form, tag = ''): Step => ({ does: 'send', form, address: { mailbox: 0, tag }, ticked: true })
const left: Step = { does: 'leave', which: 0 }
const confirmed = (which: number): Step => ({ does: 'confirm', which })
/** Run before the random sequences: unsubscribing, subscribing again, and confirming without having unsubscribed. */
const examples: [Step[]][] = [
  [[...forms.map((form) => sent(form, '+a')), left]],
  [[sent('juros'), sent('lideres', '+b'), left, sent('brasilquerpaz'), confirmed(2)]],
  [[sent('juros'), sent('brasilquerpaz'), confirmed(1)]],
]

test('after any sequence of forms, confirmations and unsubscribes, list, exports and spreadsheet agree within 5 s', {
  tags: ['slow'],
  timeout: 180_000,
}, async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      runs += 1
      const records: Stored[] = []
      const leftAt: (number | undefined)[] = [undefined, undefined]
      const inSheets = () => Object.assign({}, ...forms.map(inSheet)) as StatesById
      const missing = () => records.filter(({ id }) => !(id in inSheets()))
      const mailboxIn = ({ email }: Stored) => mailboxes.findIndex((name) => email.startsWith(name))
      for (const [at, action] of steps.entries()) {
        if (action.does === 'send') {
          const { form, ticked } = action
          const email = `${mailboxes[action.address.mailbox]}.${process.pid}.${runs}${action.address.tag}@example.org`
          await send[form](email, ticked)
          const [row] = await site.rows<{ id: string }>(
            `select id from ${tables[kindOf(form)]} where email = $1 order by id desc limit 1`,
            [email],
          )
          const id = row?.id ?? ''
          // A repeated signature of a campaign is not stored again.
          if (!records.some((record) => record.id === id))
            records.push({ id, form, email, ticked, at, confirmed: false })
          continue
        }
        const record = records[action.which % Math.max(records.length, 1)]
        if (!record || (action.does === 'confirm' && kindOf(record.form) !== 'assinaturas')) continue
        const mailbox = mailboxIn(record)
        // A row that is written only now would have the new state already. The test must cover its update.
        await expect.poll(missing, { timeout: 5_000, interval: 20 }).toEqual([])
        if (action.does === 'leave') {
          expect((await submitLink('descadastrar', record)).status).toBe(200)
          leftAt[mailbox] ??= at
        } else {
          expect((await submitLink('confirmar', record)).status).toBe(200)
          record.confirmed = true
          if (record.ticked && record.at > (leftAt[mailbox] ?? Number.POSITIVE_INFINITY)) leftAt[mailbox] = undefined
        }
      }
      const expected = Object.fromEntries(
        records.map((record) => [
          record.id,
          {
            novidades: leftAt[mailboxIn(record)] !== undefined ? 'saiu' : record.ticked ? 'aceita' : 'não aceita',
            confirmada: record.confirmed ? 'sim' : 'não',
          },
        ]),
      )
      const relevant = (states: StatesById) =>
        Object.fromEntries(Object.entries(states).filter(([id]) => id in expected))
      const ofKinds = async (read: (kind: PeopleKind) => Promise<StatesById>) => {
        const states: StatesById = {}
        // At most two exports run at once.
        for (const kind of new Set(records.map(({ form }) => kindOf(form)))) Object.assign(states, await read(kind))
        return relevant(states)
      }
      await expect.poll(() => relevant(inSheets()), { timeout: 5_000, interval: 50 }).toEqual(expected)
      expect(await ofKinds(inList)).toEqual(expected)
      expect(await ofKinds((kind) => inExport(kind, 'csv'))).toEqual(expected)
      expect(await ofKinds((kind) => inExport(kind, 'xlsx'))).toEqual(expected)
      const left = await ofKinds(async (kind) => {
        const { pessoas } = await admin.ask<{ pessoas: ListedPerson[] }>(
          'GET',
          `/api/admin/pessoas/${kind}?novidades=saiu`,
        )
        return Object.fromEntries(
          pessoas.flatMap(({ id }) => {
            const states = expected[id]
            return states ? [[id, states]] : []
          }),
        )
      })
      expect(left).toEqual(
        Object.fromEntries(Object.entries(expected).filter(([, { novidades }]) => novidades === 'saiu')),
      )
    }),
    // The test ends at the first failure: shrinking the sequence would exceed the timeout.
    { numRuns: 8 + examples.length, seed, examples, endOnFailure: true },
  )
})

test('the list and its count are filtered by consent, and a person’s record shows it', async () => {
  const [yes, no, left] = [aSignature({ aceitaNovidades: true }), aSignature(), aSignature({ aceitaNovidades: true })]
  for (const signature of [yes, no, left]) await postJson(`${site.url}/api/peticoes`, signature)
  const [unsubscribed] = await site.rows<{ id: string; email: string }>(
    'select id, email from peticoes where email = $1',
    [left.email],
  )
  if (unsubscribed) await submitLink('descadastrar', unsubscribed, { escolha: 'nunca' })

  const found = async (novidades: string) => {
    const { pessoas } = await admin.ask<{ pessoas: ListedPerson[] }>(
      'GET',
      `/api/admin/pessoas/assinaturas?novidades=${novidades}`,
    )
    const { total } = await admin.ask<{ total: number }>(
      'GET',
      `/api/admin/pessoas/assinaturas/total?novidades=${novidades}`,
    )
    return [total, ...pessoas.map(({ email }) => email)]
  }
  expect(await found('aceita')).toEqual([1, yes.email])
  expect(await found('nao-aceita')).toEqual([1, no.email])
  expect(await found('saiu')).toEqual([1, left.email])
  const { pessoa } = await admin.ask<{ pessoa: ListedPerson }>(
    'GET',
    `/api/admin/pessoas/assinaturas/${unsubscribed?.id}`,
  )
  expect(pessoa.novidades).toBe('saiu')
  const refused = await admin.call('GET', '/api/admin/pessoas/assinaturas?novidades=talvez')
  expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
    400,
    'Escolha quem aceita, quem não aceita ou quem saiu das novidades.',
  ])
})

test('unsubscribing a mailbox after one of its records was erased updates its other records', async () => {
  const { email } = aSignature()
  await send.juros(email, true)
  await send.voluntarios(email, true)
  const [signature] = await site.rows<{ id: string; email: string }>('select id, email from peticoes')
  const [contact] = await site.rows<{ id: string }>('select id from contacts')
  await expect.poll(() => inSheet('voluntarios')[contact?.id ?? '']?.novidades, { timeout: 10_000 }).toBe('aceita')
  await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${signature?.id}`)

  if (signature) await submitLink('descadastrar', signature)

  await expect.poll(() => inSheet('voluntarios')[contact?.id ?? '']?.novidades, { timeout: 5_000 }).toBe('saiu')
})

test('the database and the server agree on the mailbox of an address', async () => {
  const part = fc.stringMatching(/^[a-z0-9.+_-]{1,12}$/)
  const addresses = fc.sample(
    fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}.example.org`),
    { numRuns: 500, seed },
  )

  const rows = await site.rows<{ digest: Buffer }>(
    `select ${mailboxHmacSql('address')} as digest from unnest($1::text[]) with ordinality as given(address, n) order by n`,
    [[...addresses, '+@a.org', 'a+@a.org', '+a+b@a.org']],
  )

  const expected = [...addresses, '+@a.org', 'a+@a.org', '+a+b@a.org'].map((one) =>
    addressHmac(site.addressKey, mailboxOf(one)),
  )
  expect(
    rows.map(({ digest }) => digest),
    `seed ${seed}`,
  ).toEqual(expected)
})

test('the database and the server agree on the mailbox of an address as it was typed', async () => {
  const local = fc.stringMatching(/^[A-Za-z0-9.+_-]{1,12}$/)
  const domain = fc.constantFrom(
    'gmail.com',
    'GoogleMail.com',
    'outlook.com',
    'uol.com.br',
    'gmail.com.br',
    'x.gmail.com',
  )
  const sampled = fc.sample(
    fc.tuple(local, domain).map((parts) => parts.join('@')),
    { numRuns: 500, seed },
  )
  const addresses = [...sampled, '...@gmail.com', '+@gmail.com', '+a.b@gmail.com', 'a@b@gmail.com', ' a.b+c@Gmail.com ']

  const rows = await site.rows<{ mailbox: string }>(
    `select ${typedMailboxSql('address')} as mailbox from unnest($1::text[]) with ordinality as given(address, n) order by n`,
    [addresses],
  )

  expect(
    rows.map(({ mailbox }) => mailbox),
    `seed ${seed}`,
  ).toEqual(addresses.map((address) => mailboxOf(canonicalizeEmail(address))))
})

/** The statements of the migration that move data. */
function dataMigration(): string[] {
  const folder = fileURLToPath(new URL('../../src/server/db/migrations/', import.meta.url))
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const statements = texts.find((text) => text.includes('mailbox_keys'))?.split('--> statement-breakpoint') ?? []
  return statements.filter((statement) => !/^\s*(ALTER TABLE|CREATE INDEX)/.test(statement))
}

test('the upgrade stores tagged addresses by their mailbox and updates older rows of the spreadsheet', async () => {
  const { email } = aSignature()
  const [local, domain] = email.split('@')
  const tagged = `${local}+x@${domain}`
  await send.juros(tagged, true)
  const [record] = await site.rows<{ id: string }>('select id from peticoes')
  const id = record?.id ?? ''
  const file = join(site.dataDir, 'planilhas', 'juros.csv')
  const waiting = () => site.rows(`select kind from outbox where kind <> 'lembretes'`)
  await expect.poll(() => inSheet('juros')[id]?.novidades, { timeout: 10_000 }).toBe('aceita')
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
  // The state that the previous version left.
  const [head = [], ...rows] = readCsv(readFileSync(file, 'utf8'))
  const older = [head.slice(0, 10), ...rows.filter(([one]) => one === id).map((row) => [...row.slice(0, 9), 'Sim'])]
  writeFileSync(file, older.map(csvRecord).join(''))
  await site.rows('truncate enderecos, emails_por_endereco')
  await site.rows('insert into enderecos ("addressHmac", "unsubscribedAt") values ($1, now())', [digestOf(tagged)])
  for (const [address, n] of [[tagged, 3] as const, [email, 4] as const])
    await site.rows(`insert into emails_por_endereco values ($1, 'juros', $2)`, [digestOf(address), n])
  await site.rows('update address_keys set "isInUse" = false')

  const client = new pg.Client(site.engine.direct)
  await client.connect()
  await client.query('begin')
  await renameColumns(client, 'to former')
  for (const statement of dataMigration()) await client.query(statement)
  await renameColumns(client, 'to present')
  // No worker runs between the migration and the start that replaces the digests.
  await openAddressKey(client, testConfig({ DATA_DIR: site.dataDir }), createLog('silent'))
  await client.query('commit')
  await client.end()

  const left = await site.rows<{ addressHmac: Buffer }>(
    'select "addressHmac" from enderecos where "unsubscribedAt" is not null',
  )
  expect(left.map(({ addressHmac }) => addressHmac)).toEqual([addressHmac(site.addressKey, email)])
  const counts = await site.rows<{ addressHmac: Buffer; n: number }>('select "addressHmac", n from emails_por_endereco')
  expect(counts).toEqual([{ addressHmac: addressHmac(site.addressKey, email), n: 5 }])
  await expect.poll(() => inSheet('juros')[id], { timeout: 10_000 }).toEqual({ novidades: 'saiu', confirmada: 'não' })
})

const formPages = [
  { table: 'peticoes', page: '/peticao', path: '/api/peticoes', valid: aSignature },
  { table: 'peticoes', page: '/p/fim-escala-6x1', path: '/api/campaigns/fim-escala-6x1/signatures', valid: aSignature },
  { table: 'contacts', page: '/', path: '/api/contacts', valid: aContact },
  { table: 'influenciadores', page: '/influenciadoresCOMLULA', path: '/api/lideres', valid: anInfluencer },
  { table: 'lideres', page: '/formulario-lideres', path: '/api/formulario-lideres', valid: aLeader },
]

describe.each(formPages)('the privacy text that the form of $page showed', ({ table, page, path, valid }) => {
  const storedVersions = async () =>
    (await site.rows<{ version: string }>(`select "versaoConsentimento" as version from ${table} order by id`)).map(
      ({ version }) => version,
    )

  test('is in the form', async () => {
    const html = await (await fetch(site.url + page)).text()
    expect(html).toContain('<input type="hidden" name="versaoConsentimento" value="2026-11-19"/>')
  })

  test('is stored, also if it is an earlier version', async () => {
    for (const versaoConsentimento of ['2026-11', '2026-11-15', '2026-11-18', '2026-11-19'])
      expect((await postJson(site.url + path, { ...valid(), versaoConsentimento })).status).toBe(201)
    await postForm(site.url + path, { ...valid(), versaoConsentimento: '2026-11' })

    expect(await storedVersions()).toEqual(['2026-11', '2026-11-15', '2026-11-18', '2026-11-19', '2026-11'])
  })

  test('is stored as the current version if it is missing or unknown', async () => {
    const unknown = [undefined, null, '', '1999-01-01', 202611, ['2026-11'], {}, '9'.repeat(400)]
    for (const versaoConsentimento of unknown)
      expect((await postJson(site.url + path, { ...valid(), versaoConsentimento })).status).toBe(201)

    expect(await storedVersions()).toEqual(unknown.map(() => '2026-11-19'))
  })
})
