// The dashboard: exact figures, to-do lines in order of urgency, and parts that fail alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chartDays, type Dashboard, maxTodos } from '#contract/admin/dashboard.ts'
import type { SystemStatus } from '#contract/admin/system.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { aContact, aLeader, anInfluencer } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const path = '/api/admin/painel'
let site: TestSite
let admin: Administrator
beforeAll(async () => {
  // An SMTP server and an own address, so that the site has nothing to do at first.
  const settled = { SMTP_URL: 'smtp://127.0.0.1:1', EMAIL_FROM: 'contato@movimento.test' }
  site = await openTestSite(settled, { periods: { refreshMs: 1 } })
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  await avoidBoundary('day')
  await site.empty()
})

const read = () => admin.ask<Dashboard>('GET', path)
/** The cache of a part is at most some milliseconds old. */
const eventually = (check: (dashboard: Dashboard) => unknown) =>
  expect.poll(async () => check(await read()), { interval: 20 })

/** Counts of an hour of the day in Brasília, so many days ago. */
const count = (campaign: string, daysAgo: number, { hour = 0, n = 1, confirmed = 0 } = {}) =>
  site.rows(
    `insert into signature_count_changes select $1, 'SP',
      (date_trunc('day', now() at time zone 'America/Sao_Paulo') - $2 * interval '1 day' + $3 * interval '1 hour') at time zone 'America/Sao_Paulo', $4, $5`,
    [campaign, daysAgo, hour, n, confirmed],
  )
/** Lines without that of a full disk, which depends on the machine and takes the place of the least urgent one. */
const ownTodos = ({ todos }: Dashboard) => todos.filter(({ kind }) => kind !== 'disk')
const kinds = (dashboard: Dashboard) => ownTodos(dashboard).map(({ kind }) => kind)

describe('figures', () => {
  test('signatures of today, of seven days and of the same hours of earlier days are exact, and add up', async () => {
    await count('juros', 0, { n: 5, confirmed: 2 })
    await count('juros', 1, { n: 3, confirmed: 3 })
    await count('juros', 6, { n: 7 })
    await count('juros', 7, { n: 11 })
    await count('brasilquerpaz', 0, { n: 20, confirmed: 1 })
    await count('brasilquerpaz', 1, { n: 100, hour: 23 })
    await count('brasilquerpaz', 30, { n: 1_000 })
    // Imported ones are in the totals, but nobody signed them today.
    await count('juros', 0, { n: 40 })
    await site.rows(`
      insert into imports (kind, "fileName", mapping, total, author, status, campanha, accepted)
      values ('assinaturas', 'lista.csv', '{}', 40, 'admin', 'done', 'juros', 40)`)

    await eventually(({ signatures }) => signatures?.total).toBe(1_186)
    const { signatures } = await read()

    const lastHour = signatures?.untilHour === 23 ? 100 : 0
    expect(signatures).toMatchObject({
      ...{ today: 25, week: 135, yesterdayByNow: 3 + lastHour, weekAgoByNow: 11, confirmed: 6 },
    })
    const [first, second] = signatures?.campaigns ?? []
    expect([first?.slug, first?.signatures, first?.confirmed]).toEqual(['brasilquerpaz', 1_120, 1])
    expect([second?.slug, second?.signatures, second?.confirmed]).toEqual(['juros', 66, 5])
    expect(second?.byDay.map((day) => day.signatures)).toEqual([7, 0, 0, 0, 0, 3, 5])
    const [today] = await site.rows(`select (now() at time zone 'America/Sao_Paulo')::date::text as day`)
    expect(second?.byDay.at(-1)?.day).toBe(today?.day)
    expect(new Set(second?.byDay.map(({ day }) => day)).size).toBe(chartDays)
  })

  test('a campaign without signatures is shown while it is active, a draft is not', async () => {
    await site.rows(`update campaigns set status = 'draft', "isActive" = false where slug = 'brasilquerpaz'`)
    try {
      const slugs = ({ signatures }: Dashboard) => signatures?.campaigns.map(({ slug }) => slug) ?? []
      await eventually((dashboard) => slugs(dashboard).includes('brasilquerpaz')).toBe(false)
      expect(slugs(await read())).toContain('juros')
    } finally {
      await site.rows(`update campaigns set status = 'live', "isActive" = true where slug = 'brasilquerpaz'`)
    }
  })

  test('new volunteers are counted by day and week, without imported ones', async () => {
    for (let n = 0; n < 4; n++) await postJson(`${site.url}/api/contacts`, aContact())
    const change = (offset: number, set: string) =>
      site.rows(`update contacts set ${set} where id = (select id from contacts order by id offset $1 limit 1)`, [
        offset,
      ])
    await change(0, `"createdAt" = now() - interval '3 days'`)
    await change(1, `"createdAt" = now() - interval '20 days'`)
    await change(2, '"importId" = 1')
    await eventually(({ volunteers }) => volunteers).toEqual({ today: 1, week: 2 })
  })

  test('influencers and leaders are unanswered until their status changes, also without a row of their own', async () => {
    for (let n = 0; n < 3; n++) await postJson(`${site.url}/api/lideres`, anInfluencer())
    for (let n = 0; n < 2; n++) await postJson(`${site.url}/api/formulario-lideres`, aLeader())
    await site.rows(`insert into people_workflow (kind, id, status) select 'lideres', id, 'novo' from lideres`)
    await site.rows(`insert into people_workflow (kind, id, status)
      select 'influenciadores', id, 'em-contato' from influenciadores order by id limit 1`)
    await eventually(({ unanswered }) => unanswered).toEqual({ influencers: 2, leaders: 2 })

    // The row of the workflow is deleted with its record.
    await site.rows(`delete from influenciadores where id in (select id from people_workflow)`)
    await site.rows(
      `update people_workflow set status = 'arquivado' where id = (select min(id::text)::uuid from lideres)`,
    )
    await eventually(({ unanswered }) => unanswered).toEqual({ influencers: 2, leaders: 1 })
  })

  test('conversations are those that began today', async () => {
    await site.rows(
      `insert into bot_conversas ("subscriberId", "createdAt") values ('1', now()), ('2', now() - interval '30 hours')`,
    )
    await eventually(({ conversations }) => conversations).toEqual({ today: 1 })
  })
})

describe('to-do lines', () => {
  /** The schedule of the site may have closed the campaign. */
  const reopen = () => site.rows(`update campaigns set "closeAt" = null, status = 'live' where slug = 'juros'`)

  test('are the five most urgent ones, in order', async () => {
    await site.rows(
      `insert into outbox (kind, payload, attempts, dead, reason) select 'email', to_jsonb(n), 8, true, 'x' from generate_series(1, 3) n`,
    )
    await site.rows(`insert into outbox (kind, payload, "dueAt") values ('email', '1', now() - interval '1 hour')`)
    for (let n = 0; n < 2; n++) await postJson(`${site.url}/api/formulario-lideres`, aLeader())
    await postJson(`${site.url}/api/lideres`, anInfluencer())
    await site.rows(`update campaigns set "closeAt" = now() + interval '1 minute' where slug = 'juros'`)
    try {
      const expected = [
        { kind: 'dead-deliveries', n: 3 },
        { kind: 'late-deliveries' },
        { kind: 'campaign-closes', campaign: { titulo: expect.any(String) } },
        { kind: 'leaders-waiting', n: 2 },
        { kind: 'influencers-waiting', n: 1 },
      ]
      const hasFullDisk = (await read()).todos.some(({ kind }) => kind === 'disk')
      await eventually(ownTodos).toMatchObject(expected.slice(0, hasFullDisk ? -1 : undefined))
      const { todos, todosComplete } = await read()
      expect([todos.length, todosComplete]).toEqual([maxTodos, true])
    } finally {
      await reopen()
    }
  })

  test('of a new site ask to replace the sample values of the site, then those of the server', async () => {
    await eventually((dashboard) => ownTodos(dashboard).map(({ kind, n }) => [kind, n && n > 0])).toEqual([
      ['sample-settings', true],
      ['sample-environment', true],
    ])
    const todos = ownTodos(await read())
    const { sampleSettings } = await admin.ask<SystemStatus>('GET', '/api/admin/sistema')
    expect(todos.reduce((sum, { n = 0 }) => sum + n, 0)).toBe(sampleSettings.length)
  })

  test('name a single draft and count several, unless they are scheduled', async () => {
    const draft = (slug: string, publishAt: string) =>
      site.rows(`insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab", status, "isActive", "publishAt")
        values ('${slug}', 'Rascunho ${slug}', '', '${slug}', 'draft', false, ${publishAt}) returning id::int`)
    const drafts = ({ todos }: Dashboard) => todos.filter(({ kind }) => kind === 'drafts')
    try {
      const [first] = await draft('a', 'null')
      await draft('b', `now() + interval '1 day'`)
      await eventually(drafts).toEqual([{ kind: 'drafts', n: 1, campaign: { id: first?.id, titulo: 'Rascunho a' } }])
      await draft('c', 'null')
      await eventually(drafts).toEqual([{ kind: 'drafts', n: 2 }])
    } finally {
      await site.rows(`delete from campaigns where slug in ('a', 'b', 'c')`)
    }
  })

  test.each([
    ['the day after tomorrow', `now() + interval '49 hours'`],
    ['in the past', `now() - interval '1 minute'`],
  ])('say nothing of a campaign that closes %s', async (_, closeAt) => {
    await site.rows(`update campaigns set "closeAt" = ${closeAt} where slug = 'juros'`)
    try {
      await count('juros', 0, { n: 4 })
      await eventually(({ signatures }) => signatures?.today).toBe(4)
      expect(kinds(await read())).not.toContain('campaign-closes')
    } finally {
      await reopen()
    }
  })
})

test('the part of a table that cannot be read is null, and the others are complete', async () => {
  await count('juros', 0, { n: 2 })
  await site.rows('alter table influenciadores rename to influenciadores_fora')
  try {
    await eventually(({ unanswered }) => unanswered).toBe(null)
    const dashboard = await read()
    expect(dashboard).toMatchObject({
      volunteers: { today: 0, week: 0 },
      conversations: { today: 0 },
      todosComplete: false,
    })
    expect(dashboard.signatures?.today).toBe(2)
  } finally {
    await site.rows('alter table influenciadores_fora rename to influenciadores')
  }
  await eventually(({ unanswered }) => unanswered).toEqual({ influencers: 0, leaders: 0 })
})

test('the dashboard needs a session', async () => {
  const answer = await fetch(site.url + path)
  expect(answer.status).toBe(401)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})
