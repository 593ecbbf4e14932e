// Records are erased when their retention period ends: what goes, what stays, when, and again after an interruption.
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminMessages } from '#contract/admin/messages.ts'
import type { listCityNumbers, listOriginDays, Numbers, OriginNumbers } from '#contract/admin/numbers.ts'
import { guessMapping } from '#contract/admin/people-import.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { RetentionPeriods } from '#contract/retention.ts'
import { createLocalMailer, openLocalMailbox } from '#server/adapters/local-mail.ts'
import { addressHmac } from '#server/core/address-key.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { foldCounts, totalCounts } from '#server/db/signature-counts.ts'
import { createRetention } from '#server/features/retention/retention.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aCampaign, aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const none: RetentionPeriods = {
  ...{ assinaturas: null, voluntarios: null, influenciadores: null, lideres: null, mensagens: null },
}
const all: RetentionPeriods = { assinaturas: 90, voluntarios: 90, influenciadores: 90, lideres: 90, mensagens: 90 }

let site: TestSite
let admin: Administrator
let database: Database
beforeAll(async () => {
  site = await openTestSite({}, { periods: { refreshMs: 50, breakdownPauseMs: 50 } })
  database = openDatabase(site.engine, createLog('silent'), site.addressKey)
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

/** Runs the job once, with a clock that is `days` and `hours` later. */
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
    now: sql`(now() + make_interval(days => ${days}, hours => ${hours}))`,
  })
  await retention.apply()
  return { failures, wasWoken }
}

async function post(path: string, fields: object): Promise<void> {
  const response = await postJson(site.url + path, fields)
  expect(response.status, await response.clone().text()).toBe(201)
}
const count = async (table: string) => (await site.rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n
/** How many records each tab of the spreadsheet has to lose. */
const sheetRemovals = () =>
  site.rows(
    `select payload->>'aba' as tab, sum(jsonb_array_length(payload->'ids'))::int as n from outbox
    where kind = 'planilha-remover' group by 1`,
  )
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
    const hmac = addressHmac(site.addressKey, email)
    const id = await stored(email)
    const person = `/api/admin/pessoas/${kind}/${id}`
    await admin.ask('POST', `${person}/notas`, { texto: `Falar com ${email}` })
    await admin.ask('PATCH', `${person}/acompanhamento`, { status: 'ativo', incluir: ['comício'] })
    await site.rows(
      `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
      values (sha256($1), 'remover', $1, $2, now() + interval '1 day')`,
      [hmac, id],
    )
    await site.rows(`insert into emails_por_endereco ("addressHmac", campanha, n) values ($1, 'juros', 2)`, [hmac])
    await site.rows(
      `insert into enderecos ("addressHmac", "unsubscribedAt", "rejectedAt", "suppressionKind", "suppressionDetail", "suppressedEmail")
      values ($1, now(), now(), 'recusa', $2::text, $2::text)`,
      [hmac, email],
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
      { payload: { aba: sheet, ids: [id] } },
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
  const hmac = addressHmac(site.addressKey, email)
  const [signature] = await site.rows<{ id: string }>('select id from peticoes')
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt") values ('\\x01', 'remover', $1, $2, now())`,
    [hmac, signature?.id],
  )
  await site.rows(
    `insert into emails_por_endereco ("addressHmac", campanha, n) values ($1, 'juros', 2), ($1, '#voluntario', 1)`,
    [hmac],
  )
  await site.rows(`insert into news_opt_outs ("addressHmac", "campaignId") select $1, min(id) from campaigns`, [hmac])

  await post('/api/contacts', aContact())

  await later(all, { days: 91 })

  expect([await count('contacts'), await count('peticoes')]).toEqual([0, 1])
  expect([await count('email_tokens'), await count('news_opt_outs')]).toEqual([1, 1])
  expect(await site.rows('select campanha from emails_por_endereco order by 1')).toEqual([
    { campanha: '' },
    { campanha: 'juros' },
  ])
})

test('a run that fails loses no record and no number: the next one continues', async () => {
  await site.rows(
    `insert into contacts (id, name, email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento")
    select gen_random_uuid(), 'Voluntária', n || '@example.org', n || '@example.org', '11987654321', gen_random_uuid(), 'x'
    from generate_series(1, 2450) n`,
  )
  const throttle = createBackgroundThrottle()
  let batches = 0
  const failing = {
    ...throttle,
    run: <T>(work: () => Promise<T>) => {
      batches += 1
      if (batches > 3) throw new Error('refused by the test')
      return work()
    },
  }

  const { failures } = await later(all, { days: 91 }, { throttle: failing })

  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('expired data not deleted')
  expect(await count('contacts')).toBe(2150)
  expect((await later(all, { days: 91 })).failures).toEqual([])
  expect(await count('contacts')).toBe(0)
  const entry = 'prazo de guarda: Apagou dados pelo prazo de guarda: voluntarios'
  expect(await erasures()).toEqual([`${entry}, 300 registros`, `${entry}, 2150 registros`])
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
  expect(await sheetRemovals()).toEqual([{ tab: 'Voluntarios', n: 450 }])
  expect(await count(`outbox where kind = 'planilha-remover'`)).toBeLessThan(45)
})

describe('signatures', () => {
  const campaigns = '/api/admin/campaigns'
  const create = async () =>
    (await admin.ask<{ campaign: { id: number; slug: string } }>('POST', campaigns, aCampaign({ isActive: true })))
      .campaign
  const setStatus = (id: number, status: string) => admin.call('POST', `${campaigns}/${id}/situacao`, { status })
  const sign = (slug: string, fields: object = {}) => post(`/api/campaigns/${slug}/signatures`, aSignature(fields))
  const publicCount = async (slug: string) =>
    (await (await fetch(`${site.url}/api/campaigns/${slug}/count`)).json()) as { count: number; hoje: number }
  const confirm = (slug: string) =>
    site.rows(
      `update peticoes set "confirmadoEm" = now() where id in (select id from peticoes where campanha = $1 limit 2)`,
      [slug],
    )

  /** Everything that is shown about a campaign, from a count of now. */
  async function figures(slug: string) {
    const read = () => admin.ask<Numbers>('GET', `/api/admin/numeros/${slug}`)
    const countedAt = async () => (await read()).counted?.at ?? ''
    // The count after the next one begins later than this.
    for (let step = 1; step <= 2; step += 1) {
      const last = await countedAt()
      await expect.poll(countedAt, { timeout: 20_000, interval: 50 }).not.toBe(last)
    }
    const { counted, ...numbers } = await read()
    const cities = await admin.ask<ReplyOf<typeof listCityNumbers>>('GET', `/api/admin/numeros/${slug}/cidades`)
    const origins = await admin.ask<OriginNumbers>('GET', `/api/admin/origens?campanha=${slug}`)
    const days = await admin.ask<ReplyOf<typeof listOriginDays>>('GET', `/api/admin/origens/dias?campanha=${slug}`)
    const counts = await site.rows(
      `select estado, hora, n from ${signatureCountsSql} where campanha = $1 order by 1, 2`,
      [slug],
    )
    const totals = await site.rows(`select n, confirmed from ${totalCounts} totals where campanha = $1`, [slug])
    const undated = <Read extends { counted: object | null }>(value: Read) => ({
      ...value,
      counted: { ...value.counted, at: '' },
    })
    return {
      ...{ numbers: { ...numbers, at: '' }, counted: { ...counted, at: '' }, cities: undated(cities) },
      ...{ origins: undated(origins), days: days.days.map((day) => JSON.stringify(day)).sort() },
      ...{ counts, totals, publicCount: await publicCount(slug) },
    }
  }

  test('of a campaign that is over are erased, and every number stays', async () => {
    const [over, live] = [await create(), await create()]
    const { slug } = over
    for (const campaign of [over, live]) {
      await sign(campaign.slug, { cidade: 'São Paulo', estado: 'SP', origem: 'radio' })
      await sign(campaign.slug, { cidade: 'sao paulo', estado: 'SP' })
      await sign(campaign.slug, { cidade: 'Salvador', estado: 'BA', origem: 'radio' })
      await sign(campaign.slug, { cidade: 'Outras', estado: 'BA', origem: 'feira' })
    }
    await site.rows(
      `update peticoes set "versaoManifesto" = 2 where id = (select max(id::text)::uuid from peticoes where campanha = $1)`,
      [slug],
    )
    await confirm(slug)
    await setStatus(over.id, 'won')
    await foldCounts(database)
    const before = await figures(slug)
    expect(before).toMatchObject({
      ...{ totals: [{ n: 4, confirmed: 2 }], publicCount: { count: 4 } },
      ...{ counted: { signatures: 4, confirmed: 2 }, origins: { total: 3 }, cities: { total: 3 } },
    })

    expect(await later(all, { days: 89 })).toEqual({ failures: [], wasWoken: false })
    expect(await count('peticoes')).toBe(8)
    expect(await later(all, { days: 91 })).toEqual({ failures: [], wasWoken: true })

    expect(await site.rows('select campanha, count(*)::int as n from peticoes group by 1')).toEqual([
      { campanha: live.slug, n: 4 },
    ])
    expect(await figures(slug)).toEqual(before)
    await foldCounts(database)
    expect(await figures(slug)).toEqual(before)
    expect(await count('signature_count_changes')).toBe(0)
    expect(await erasures()).toEqual(['prazo de guarda: Apagou dados pelo prazo de guarda: assinaturas, 4 registros'])
    expect(await sheetRemovals()).toEqual([{ tab: expect.stringMatching(/^inventada-/), n: 4 }])
  })

  test('are not in the list of people, and not in its total', async () => {
    const [over, live] = [await create(), await create()]
    for (const { slug } of [over, over, live]) await sign(slug)
    await setStatus(over.id, 'closed')
    await later(all, { days: 91 })

    const total = (query = '') => admin.ask('GET', `/api/admin/pessoas/assinaturas/total${query}`)
    const totals = [await total(), await total(`?campanha=${over.slug}`), await total(`?campanha=${live.slug}`)]
    expect(totals).toMatchObject([1, 0, 1].map((n) => ({ total: n, exato: true })))
  })

  test('numbers of erased signatures are read in pages', async () => {
    const { slug } = await create()
    await site.rows(
      `insert into erased_signature_cities (campanha, estado, cidade, "versaoManifesto", n, confirmed)
      select $1, 'SP', case when n % 2 = 0 then 'Campinas' else 'Santos' end, n, 2, 1 from generate_series(1, 10100) n`,
      [slug],
    )
    await site.rows(
      `insert into erased_signature_origins (campanha, origem, dia, n)
      select $1, case when n % 2 = 0 then 'radio' else '' end, date '2000-01-01' + n, 1 from generate_series(1, 10100) n`,
      [slug],
    )

    const { counted, cities, origins } = await figures(slug)

    expect(counted).toMatchObject({ signatures: 20_200, confirmed: 10_100 })
    expect(cities).toMatchObject({ cities: [{ signatures: 10_100 }, { signatures: 10_100 }] })
    expect(origins).toMatchObject({ origins: [{ origin: 'radio', signatures: 5_050 }] })
  })

  test('nobody is erased while a list is imported into the campaign', async () => {
    const { id, slug } = await create()
    await sign(slug)
    await setStatus(id, 'closed')
    await site.rows(
      `insert into imports (kind, status, "fileName", author, total, mapping, campanha)
      values ('assinaturas', 'running', 'lista.csv', 'admin', 10, '{}', $1)`,
      [slug],
    )
    await later(all, { days: 91 })
    expect(await count('peticoes')).toBe(1)

    await site.rows(`update imports set status = 'done'`)
    await later(all, { days: 91 })
    expect(await count('peticoes')).toBe(0)
  })

  test('a campaign whose signatures cannot be erased does not keep those of the others', async () => {
    const [first, second] = [await create(), await create()]
    for (const { id, slug } of [first, second]) {
      await sign(slug)
      await setStatus(id, 'closed')
    }
    await site.rows(`
      create function refuse_deletion() returns trigger language plpgsql as
        $$ begin raise exception 'refused by the test'; end $$;
      create trigger refuse_deletion before delete on peticoes for each row when (old.campanha = '${first.slug}')
        execute function refuse_deletion()`)
    try {
      const { failures } = await later(all, { days: 91 })
      expect(failures).toEqual([expect.stringContaining('P0001')])
    } finally {
      await site.rows('drop trigger refuse_deletion on peticoes; drop function refuse_deletion')
    }
    expect(await site.rows('select campanha from peticoes')).toEqual([{ campanha: first.slug }])
    expect(await erasures()).toEqual(['prazo de guarda: Apagou dados pelo prazo de guarda: assinaturas, 1 registro'])
  })

  test('a city that is not official is kept as one of the others', async () => {
    const { id, slug } = await create()
    await sign(slug, { cidade: 'Rua das Flores 10, Fulana', estado: 'SP' })
    await sign(slug, { cidade: 'CAMPINAS', estado: 'SP' })
    await setStatus(id, 'closed')

    await later(all, { days: 91 })

    expect(await site.rows('select estado, cidade, n from erased_signature_cities order by cidade')).toEqual([
      { estado: 'SP', cidade: 'Campinas', n: 1 },
      { estado: 'SP', cidade: 'Outras', n: 1 },
    ])
    expect(await tablesWith('Flores')).toEqual([])
  })

  test('an imported list is kept for a whole period, and a period begins again when a campaign ends again', async () => {
    const { id, slug } = await create()
    await sign(slug)
    await setStatus(id, 'closed')
    await site.rows(`update campaigns set "endedAt" = now() - interval '100 days' where id = $1`, [id])
    await later(all, { days: 0 })
    expect(await count('peticoes')).toBe(1)

    await site.rows(`update peticoes set "createdAt" = now() - interval '100 days'`)
    expect((await setStatus(id, 'won')).status).toBe(200)
    expect((await setStatus(id, 'live')).status).toBe(200)
    await later(all, { days: 200 })
    expect(await count('peticoes')).toBe(1)
    await setStatus(id, 'closed')
    await later(all, { days: 0 })
    expect(await count('peticoes')).toBe(1)
    await later(all, { days: 91 })
    expect(await count('peticoes')).toBe(0)
  })

  test('the delivery PDF of a campaign has its numbers, and refuses a list of names that is not complete', async () => {
    const { id, slug } = await create()
    await sign(slug)
    await setStatus(id, 'closed')
    await later(all, { days: 91 })

    const [numbers, names] = await Promise.all(
      ['entrega', 'entrega-com-nomes'].map((file) => admin.call('GET', `${campaigns}/${id}/${file}.pdf`)),
    )

    expect([numbers?.status, names?.status]).toEqual([200, 409])
    expect(await names?.json()).toMatchObject({ message: adminMessages.campaign.deliveryNamesErased })
    await numbers?.arrayBuffer()
  })

  test('nobody is counted twice: the campaign cannot be reopened, renamed or get another list', async () => {
    const { id, slug } = await create()
    await sign(slug)
    await setStatus(id, 'closed')
    await later(all, { days: 91 })

    const reopened = await setStatus(id, 'live')
    expect([reopened.status, await reopened.json()]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringMatching(/contaria duas vezes. Duplique a campanha/) }),
    ])
    expect((await setStatus(id, 'won')).status).toBe(200)
    const { campaign } = await admin.ask<{ campaign: { slugFixo: string | null } }>('GET', `${campaigns}/${id}`)
    expect(campaign.slugFixo).toBe(adminMessages.campaign.slugAssinado)
    const file = new FormData()
    file.set('tipo', 'assinaturas')
    file.set('nome', 'lista.csv')
    file.set(
      'arquivo',
      new Blob(['Nome;E-mail;Telefone;Cidade;Estado\r\nA;a@example.org;11987654321;Santos;SP\r\n']),
      'l.csv',
    )
    const { id: importId } = await admin.ask<{ id: number }>('POST', '/api/admin/importacoes', file)
    const started = await admin.call('POST', `/api/admin/importacoes/${importId}/iniciar`, {
      mapeamento: guessMapping('assinaturas', ['Nome', 'E-mail', 'Telefone', 'Cidade', 'Estado']),
      ...{ campanha: slug, origem: 'papel', baseLegal: 'Assinaram a lista em papel', declaraNovidades: false },
    })
    expect([started.status, (await started.json()) as object]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringMatching(/contaria duas vezes/) }),
    ])
  })
})

describe('the privacy page', () => {
  const textOf = async (url: string) => {
    const html = await (await fetch(`${url}/privacidade`)).text()
    return html
      .replace(/<!--.*?-->/g, '')
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ')
  }

  test('says that nothing is erased by date, if so', async () => {
    expect(await textOf(site.url)).toContain('O site não apaga cadastros sozinho por prazo.')
  })

  test('states the periods in force', async () => {
    const other = await openTestSite({
      ...{ KEEP_SIGNATURES_DAYS: '365', KEEP_VOLUNTEERS_DAYS: '730', KEEP_LEADERS_DAYS: '100', RETENTION_DAYS: '180' },
    })
    const text = await textOf(other.url)
    const otherAdmin = await enter(other)
    const status = await otherAdmin.ask('GET', '/api/admin/sistema')
    await other.close()

    for (const sentence of [
      'Apagamos os dados de quem assinou 1 ano depois do fim da campanha.',
      'Apagamos os dados de voluntários 2 anos depois do cadastro.',
      'Apagamos os dados de líderes 100 dias depois do cadastro.',
      'Apagamos as mensagens trocadas com o robô 6 meses depois de chegarem.',
      'Não têm prazo: influenciadores.',
      'o contador não diminui',
    ])
      expect(text).toContain(sentence)
    expect(text).not.toContain('não apaga cadastros sozinho')
    expect(status).toMatchObject({
      retention: { assinaturas: 365, voluntarios: 730, influenciadores: null, lideres: 100, mensagens: 180 },
    })
  })
})
