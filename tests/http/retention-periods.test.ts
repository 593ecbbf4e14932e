// Records are erased when their retention period ends: what goes, what stays, when, and again after an interruption.
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RetentionPeriods } from '#contract/retention.ts'
import { createLocalMailer, openLocalMailbox } from '#server/adapters/local-mail.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { createLog } from '#server/core/log.ts'
import { digestOf } from '#server/core/tokens.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { createRetention } from '#server/features/retention/retention.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const none: RetentionPeriods = {
  ...{ assinaturas: null, voluntarios: null, influenciadores: null, lideres: null, mensagens: null },
}
const all: RetentionPeriods = { assinaturas: 90, voluntarios: 90, influenciadores: 90, lideres: 90, mensagens: 90 }

let site: TestSite
let admin: Administrator
let database: Database
beforeAll(async () => {
  site = await openTestSite({}, { periods: { refreshMs: 50, breakdownPauseMs: 50 } })
  database = openDatabase(site.engine, createLog('silent'))
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

interface Node {
  throttle?: ReturnType<typeof createBackgroundThrottle>
}

/** Runs the job once, as a node whose clock is `days` and `hours` later. */
async function later(
  periods: Partial<RetentionPeriods>,
  { days, hours = 0 }: { days: number; hours?: number },
  { throttle = createBackgroundThrottle() }: Node = {},
): Promise<{ failures: string[]; wasWoken: boolean }> {
  const failures: string[] = []
  let wasWoken = false
  const retention = createRetention({
    config: { retention: { ...none, ...periods } },
    ...{ database, throttle, mailbox: openLocalMailbox(join(site.dataDir, 'emails')) },
    log: createLog('warn', { write: (line) => failures.push(line) }),
    onQueued: () => {
      wasWoken = true
    },
    now: () => new Date(Date.now() + days * dayMs + hours * hourMs),
  })
  await retention.apply()
  return { failures, wasWoken }
}

async function post(path: string, fields: object): Promise<void> {
  const response = await postJson(site.url + path, fields)
  expect(response.status, await response.clone().text()).toBe(201)
}
const count = async (table: string) => (await site.rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n
const erasures = async () =>
  (
    await site.rows<{ entry: string }>(
      `select username || ': ' || action || ': ' || target as entry from admin_actions where username = 'prazo de guarda' order by id`,
    )
  ).map(({ entry }) => entry)

/** The tables with rows that contain the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await site.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await site.rows<{ n: number }>(
      `select count(*)::int as n from "${name}" t where strpos(lower(t::text), lower($1)) > 0`,
      [text],
    )
    if (row?.n) found.push(name)
  }
  return found
}

const forms = [
  { kind: 'voluntarios', table: 'contacts', path: '/api/contacts', fields: aContact, sheet: 'Voluntarios' },
  {
    kind: 'influenciadores',
    table: 'influenciadores',
    path: '/api/lideres',
    fields: anInfluencer,
    sheet: 'Influenciadores',
  },
  { kind: 'lideres', table: 'lideres', path: '/api/formulario-lideres', fields: aLeader, sheet: 'Lideres' },
] as const

describe.each(forms)('a record of $kind', ({ kind, table, path, fields, sheet }) => {
  const stored = async (email: string) => {
    await post(path, fields({ email }))
    const [row] = await site.rows<{ id: string }>(`select id from ${table} where email = $1`, [email])
    return row?.id ?? ''
  }

  test('stays until the period ends, and then nothing of it is left', async () => {
    const email = `some.${kind}.${process.pid}@example.org`
    const digest = digestOf(email)
    const id = await stored(email)
    const person = `/api/admin/pessoas/${kind}/${id}`
    await admin.ask('POST', `${person}/notas`, { texto: `Falar com ${email}` })
    await admin.ask('PATCH', `${person}/acompanhamento`, { status: 'ativo', incluir: ['comício'] })
    await site.rows(
      `insert into email_tokens (digest, action, "addressDigest", "recordId", "expiresAt")
      values (sha256($1), 'remover', $1, $2, now() + interval '1 day')`,
      [digest, id],
    )
    await site.rows(`insert into emails_por_endereco ("addressDigest", campanha, n) values ($1, 'juros', 2)`, [digest])
    await site.rows(
      `insert into enderecos ("addressDigest", "unsubscribedAt", "rejectedAt", "suppressionKind", "suppressionDetail", "suppressedEmail")
      values ($1, now(), now(), 'recusa', $2::text, $2::text)`,
      [digest, email],
    )
    await site.rows(`insert into outbox (kind, payload, dead, reason) values ('email', $1, true, $2)`, [
      JSON.stringify({ modelo: 'voluntario', id }),
      `550 ${email} unknown`,
    ])
    const mails = join(site.dataDir, 'emails')
    await createLocalMailer(mails, 'site@example.org').send({
      ...{ key: `${kind}.${process.pid}`, to: email.toUpperCase(), fromName: 'Site', replyTo: '' },
      ...{ subject: 'Obrigado', html: '<p>Obrigado</p>', text: 'Obrigado' },
    })
    await post(path, fields())

    expect(await later({ [kind]: 90 }, { days: 89, hours: 23 })).toEqual({ failures: [], wasWoken: false })
    expect([await count(table), await erasures()]).toEqual([2, []])
    await site.rows(`update ${table} set "createdAt" = now() + interval '1 day' where email <> $1`, [email])

    expect(await later({ [kind]: 90 }, { days: 90, hours: 1 })).toEqual({ failures: [], wasWoken: true })

    expect(await count(table)).toBe(1)
    expect(await tablesWith(email)).toEqual([])
    // The audit log has ids of records, and the spreadsheet still has to delete a row.
    expect(await tablesWith(id)).toEqual(['admin_actions', 'outbox'])
    expect(await site.rows(`select payload from outbox where kind = 'planilha-remover'`)).toEqual([
      { payload: { aba: sheet, id } },
    ])
    expect(await site.rows(`select campanha, n from emails_por_endereco`)).toEqual([{ campanha: '', n: 2 }])
    expect(
      await site.rows('select "unsubscribedAt" is not null as left, "suppressedEmail" as email from enderecos'),
    ).toEqual([{ left: true, email: null }])
    expect(await openLocalMailbox(mails).list()).toEqual([])
    expect(await erasures()).toEqual([`prazo de guarda: Apagou dados pelo prazo de guarda: ${kind}, 1 registro`])
  })

  test('is kept for another period after somebody has worked on it', async () => {
    const ids = [await stored(`a.${kind}@example.org`), await stored(`b.${kind}@example.org`)]
    await stored(`c.${kind}@example.org`)
    await site.rows(`update ${table} set "createdAt" = now() - interval '100 days'`)
    await admin.ask('POST', `/api/admin/pessoas/${kind}/${ids[0]}/notas`, { texto: 'Vem no sábado' })
    await admin.ask('PATCH', `/api/admin/pessoas/${kind}/${ids[1]}/acompanhamento`, { status: 'ativo' })

    await later({ [kind]: 90 }, { days: 89 })
    expect(await site.rows(`select email from ${table} order by email`)).toEqual([
      { email: `a.${kind}@example.org` },
      { email: `b.${kind}@example.org` },
    ])

    await later({ [kind]: 90 }, { days: 91 })
    expect(await count(table)).toBe(0)
    expect(await erasures()).toHaveLength(2)
  })
})

test('nothing is erased without a period', async () => {
  for (const { path, fields } of forms) await post(path, fields())
  await post('/api/peticoes', aSignature())

  expect(await later({}, { days: 40_000 })).toEqual({ failures: [], wasWoken: false })

  for (const { table } of forms) expect(await count(table)).toBe(1)
  expect([await count('peticoes'), await erasures()]).toEqual([1, []])
})

test('a period is of one kind: what the mailbox has in other lists stays, with all that belongs to it', async () => {
  const email = `em.duas.listas.${process.pid}@example.org`
  await post('/api/contacts', aContact({ email }))
  await post('/api/peticoes', aSignature({ email }))
  const digest = digestOf(email)
  const [signature] = await site.rows<{ id: string }>('select id from peticoes')
  await site.rows(
    `insert into email_tokens (digest, action, "addressDigest", "recordId", "expiresAt") values ('\\x01', 'remover', $1, $2, now())`,
    [digest, signature?.id],
  )
  await site.rows(
    `insert into emails_por_endereco ("addressDigest", campanha, n) values ($1, 'juros', 2), ($1, '#voluntario', 1)`,
    [digest],
  )
  await site.rows(`insert into news_opt_outs ("addressDigest", "campaignId") select $1, min(id) from campaigns`, [
    digest,
  ])

  await later(all, { days: 91 })

  expect([await count('contacts'), await count('peticoes')]).toEqual([0, 1])
  expect([await count('email_tokens'), await count('news_opt_outs')]).toEqual([1, 1])
  expect(await site.rows('select campanha from emails_por_endereco order by 1')).toEqual([
    { campanha: '' },
    { campanha: 'juros' },
  ])
})

test('an interrupted run loses no record and no number: the next one continues', async () => {
  await site.rows(
    `insert into contacts (id, name, email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento")
    select gen_random_uuid(), 'Voluntária', n || '@example.org', n || '@example.org', '11987654321', gen_random_uuid(), 'x'
    from generate_series(1, 2450) n`,
  )
  const throttle = createBackgroundThrottle()
  let batches = 0
  const interrupted = {
    ...throttle,
    run: <T>(work: () => Promise<T>) => {
      batches += 1
      if (batches > 3) throw new Error('the process was killed')
      return work()
    },
  }

  const { failures } = await later(all, { days: 91 }, { throttle: interrupted })

  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('expired data not deleted')
  expect([await count('contacts'), await erasures()]).toEqual([2150, []])
  expect((await later(all, { days: 91 })).failures).toEqual([])
  expect(await count('contacts')).toBe(0)
  expect(await erasures()).toEqual(['prazo de guarda: Apagou dados pelo prazo de guarda: voluntarios, 2450 registros'])
})

test('two nodes at the same time erase each record once', async () => {
  await site.rows(
    `insert into contacts (id, name, email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento")
    select gen_random_uuid(), 'Voluntária', n || '@example.org', n || '@example.org', '11987654321', gen_random_uuid(), 'x'
    from generate_series(1, 450) n`,
  )

  const nodes = await Promise.all([later(all, { days: 91 }), later(all, { days: 91 })])

  expect(nodes.map(({ failures }) => failures)).toEqual([[], []])
  expect(await count('contacts')).toBe(0)
  const numbers = (await erasures()).map((entry) => Number(/(\d+) registros?$/.exec(entry)?.[1]))
  expect(numbers.reduce((sum, n) => sum + n, 0)).toBe(450)
  expect(await count(`outbox where kind = 'planilha-remover'`)).toBe(450)
})
