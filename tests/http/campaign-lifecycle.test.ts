// The life of a campaign: draft, live, closed, won; the schedule on two nodes; copies, drafts, order and old versions.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CampaignSummary, StoredCampaign } from '#contract/admin/campaigns.ts'
import { createLog } from '#server/core/log.ts'
import { startServer } from '#server/server-process.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aCampaign, aSignature, type SignatureFields } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { testConfig } from '#tests/helpers/template.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const campaigns = '/api/admin/campaigns'
const start = new Date('2030-05-10T12:00:00Z')
let now = start
let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({}, { periods: { now: () => now, scheduleMs: 20 } })
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  now = start
  await site.empty()
})

interface Written {
  message: string
  campaign: StoredCampaign
}

const create = async (fields: object = {}) =>
  (await admin.ask<Written>('POST', campaigns, aCampaign({ isActive: false, ...fields }))).campaign
const setStatus = (id: number, status: string) => admin.call('POST', `${campaigns}/${id}/situacao`, { status })
const read = async (id: number) => (await admin.ask<Written>('GET', `${campaigns}/${id}`)).campaign
const statusOf = async (path: string) => (await fetch(site.url + path)).status
const sign = (slug: string, fields: Partial<SignatureFields> = {}) =>
  postJson(`${site.url}/api/campaigns/${slug}/signatures`, aSignature(fields))
/** The public status of a campaign, until it is the expected one: a busy node serves the former one for a moment. */
const eventually = (slug: string) =>
  expect.poll(async () => {
    const answer = await fetch(`${site.url}/api/campaigns/${slug}`)
    return answer.ok ? ((await answer.json()) as Written).campaign.status : answer.status
  })
/** Signing has a cache of its own. A filled honeypot stores nothing. */
const eventuallySigning = (slug: string) => expect.poll(async () => (await sign(slug, { honeypot: 'x' })).status)
/** Until the campaign is public and can be signed. */
async function live(slug: string): Promise<void> {
  await eventually(slug).toBe('live')
  await eventuallySigning(slug).toBe(201)
}
const noSchedule = { publishAt: null, closeAt: null }
const schedule = (id: number, times: object, antes: object = noSchedule) =>
  admin.call('PUT', `${campaigns}/${id}/agenda`, { ...noSchedule, ...times, antes })
const auditLog = async () => {
  const rows = await site.rows<{ entry: string }>(
    `select username || ': ' || action as entry from admin_actions order by id`,
  )
  return rows.map(({ entry }) => entry)
}

/** Both nodes then find the rows due and wait for them. The embedded engine runs one transaction at a time. */
async function whileCampaignsAreLocked(work: () => Promise<void>): Promise<void> {
  if (site.engine.kind === 'embedded') return work()
  const client = new pg.Client(site.engine.direct)
  await client.connect()
  await client.query('begin; select id from campaigns for update')
  await work().finally(() => client.end())
}

async function untilWaiting(requests: number): Promise<void> {
  if (site.engine.kind === 'embedded') return
  const waiting = async () => {
    const [row] = await site.rows<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return row?.n
  }
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(requests)
}

describe('the status of a campaign', () => {
  test('a campaign that is created inactive is a draft, which nobody sees or signs until it is published', async () => {
    const { id, slug, status, isActive } = await create()
    expect([status, isActive]).toEqual(['draft', false])
    expect([await statusOf(`/p/${slug}`), (await sign(slug)).status]).toEqual([404, 404])

    const published = await setStatus(id, 'live')

    expect([published.status, ((await published.json()) as Written).message]).toEqual([
      200,
      'Campanha publicada: já pode ser vista e assinada.',
    ])
    expect(await read(id)).toMatchObject({ status: 'live', isActive: true })
    await live(slug)
    await expect.poll(() => statusOf(`/p/${slug}`)).toBe(200)
    expect((await sign(slug)).status).toBe(201)
    expect(await auditLog()).toEqual(['admin: Criou campanha', 'admin: Mudou a situação de campanha'])
  })

  test('activating a draft publishes it; a live campaign that is switched off stays live', async () => {
    const { id } = await create()
    expect((await admin.ask<Written>('POST', `${campaigns}/${id}/ativar`)).campaign.status).toBe('live')
    const { campaign } = await admin.ask<Written>('POST', `${campaigns}/${id}/desativar`)
    expect([campaign.status, campaign.isActive]).toEqual(['live', false])
  })

  test('a closed campaign stays public, refuses signatures with its own code, and accepts them when reopened', async () => {
    const { id, slug } = await create({ isActive: true })
    await live(slug)
    expect((await sign(slug)).status).toBe(201)
    await setStatus(id, 'closed')

    await eventually(slug).toBe('closed')
    await eventuallySigning(slug).toBe(410)
    expect(await statusOf(`/p/${slug}`)).toBe(200)
    const refused = await sign(slug)
    expect(refused.status).toBe(410)
    expect(await refused.json()).toMatchObject({ success: false, code: 'campaign-closed' })

    await setStatus(id, 'won')
    await eventually(slug).toBe('won')
    expect((await sign(slug)).status).toBe(410)
    await setStatus(id, 'live')
    await live(slug)
    expect((await sign(slug)).status).toBe(201)
    await expect.poll(async () => (await read(id)).signatures).toBe(2)
  })

  test('a signature that arrived before the campaign closed is answered as such when its phone asks again', async () => {
    const { id, slug } = await create({ isActive: true })
    await live(slug)
    const requestId = crypto.randomUUID()
    const { email, ...rest } = aSignature()
    const repeat = (address: string, request: string) =>
      postJson(`${site.url}/api/campaigns/${slug}/signatures`, { ...rest, email: address }, { 'x-request-id': request })
    const accepted = await repeat(email, requestId)
    await setStatus(id, 'closed')
    await eventuallySigning(slug).toBe(410)

    const [repeated, ofAnother, anew] = await Promise.all([
      repeat(email, requestId),
      repeat(`outra.${email}`, requestId),
      repeat(email, crypto.randomUUID()),
    ])

    expect([accepted.status, repeated.status, ofAnother.status, anew.status]).toEqual([201, 201, 410, 410])
    expect(await repeated.json()).toEqual(await accepted.json())
    await expect.poll(async () => (await read(id)).signatures).toBe(1)
  })

  test('a change that the table does not allow is refused with 409', async () => {
    const { id } = await create()
    const refused = await setStatus(id, 'won')
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { message: 'Uma campanha em “Rascunho” não pode passar para “Vitória”' },
    ])
    expect((await setStatus(id, 'draft')).status).toBe(400)
    expect((await setStatus(9_999, 'live')).status).toBe(404)
    expect((await read(id)).status).toBe('draft')
  })
})

describe('the schedule', () => {
  test('publishes and closes at the minute in Brasília, and is in the audit log as done by schedule', async () => {
    const { id, slug } = await create()
    // 9 o'clock in Brasília is the start of this test.
    const saved = await schedule(id, { publishAt: '2030-05-10T09:30', closeAt: '2030-05-10T10:00' })
    expect(saved.status).toBe(200)
    expect(await read(id)).toMatchObject({ publishAt: '2030-05-10T09:30', closeAt: '2030-05-10T10:00' })

    now = new Date('2030-05-10T12:30:00Z')
    await expect.poll(() => statusOf(`/p/${slug}`)).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'live', isActive: true, publishAt: null })
    await eventuallySigning(slug).toBe(201)

    now = new Date('2030-05-10T13:00:00Z')
    await eventuallySigning(slug).toBe(410)
    expect(await read(id)).toMatchObject({ status: 'closed', closeAt: null })
    expect(await auditLog()).toEqual([
      'admin: Criou campanha',
      'admin: Agendou campanha',
      'agendamento: Publicou campanha no horário marcado',
      'agendamento: Encerrou campanha no horário marcado',
    ])
  })

  test('is executed once, although two nodes find it due at the same moment', async () => {
    const node = await startServer({
      config: testConfig({ DATA_DIR: site.dataDir }),
      engine: site.engine,
      log: createLog('silent'),
      renderer: await openBuild(),
      deliveries: 'off',
      now: () => now,
      scheduleMs: 20,
    })
    try {
      const drafts = await Promise.all(Array.from({ length: 5 }, () => create()))
      for (const { id } of drafts) await schedule(id, { publishAt: '2030-05-10T09:01' })
      await site.rows('delete from admin_actions')

      await whileCampaignsAreLocked(async () => {
        now = new Date('2030-05-10T12:01:00Z')
        await untilWaiting(2)
      })

      const onOtherNode = (slug: string) =>
        fetch(`http://127.0.0.1:${node.port}/p/${slug}`).then(({ status }) => status)
      for (const { slug } of drafts) {
        await expect.poll(() => statusOf(`/p/${slug}`)).toBe(200)
        await expect.poll(() => onOtherNode(slug)).toBe(200)
      }
      expect(await auditLog()).toEqual(drafts.map(() => 'agendamento: Publicou campanha no horário marcado'))
    } finally {
      await node.drain()
      await node.close()
    }
  })

  test('refuses past times, a close that is not after the publication, and times that no longer matter', async () => {
    const draft = await create()
    const live = await create({ isActive: true })
    const closed = await create({ isActive: true })
    await setStatus(closed.id, 'closed')
    const refusals: [id: number, times: object, message: string][] = [
      [draft.id, { publishAt: '2030-05-10T09:00' }, 'A hora de publicar já passou. Escolha uma hora futura'],
      [draft.id, { closeAt: '2030-05-09T09:00' }, 'A hora de encerrar já passou. Escolha uma hora futura'],
      [
        draft.id,
        { publishAt: '2030-05-10T10:00', closeAt: '2030-05-10T10:00' },
        'A campanha precisa encerrar depois de ser publicada',
      ],
      [draft.id, { publishAt: '2030-02-30T10:00' }, 'Informe dia e hora. Exemplo: 2026-11-20T09:00'],
      [live.id, { publishAt: '2030-05-10T10:00' }, 'A campanha já foi publicada: só rascunhos têm hora de publicar'],
      [closed.id, { closeAt: '2030-05-10T10:00' }, 'A campanha já foi encerrada: não há mais o que agendar'],
    ]
    for (const [id, times, message] of refusals) {
      const refused = await schedule(id, times)
      expect([refused.status, await refused.json()]).toMatchObject([400, { message, errors: expect.anything() }])
    }
    expect((await schedule(live.id, { closeAt: '2030-05-10T10:00' })).status).toBe(200)
  })

  test('that another administrator changed meanwhile is not overwritten', async () => {
    const { id } = await create()
    await schedule(id, { publishAt: '2030-05-10T10:00' })

    const refused = await schedule(id, { publishAt: '2030-05-10T11:00' })

    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'conflict' }])
    expect((await read(id)).publishAt).toBe('2030-05-10T10:00')
    const antes = { publishAt: '2030-05-10T10:00', closeAt: null }
    expect((await schedule(id, { publishAt: null }, antes)).status).toBe(200)
    expect((await read(id)).publishAt).toBeNull()
  })

  test('publishing by hand ends the time to publish, and a time to close that has passed', async () => {
    const { id } = await create()
    await schedule(id, { publishAt: '2030-05-10T10:00', closeAt: '2030-05-10T11:00' })
    await setStatus(id, 'live')
    expect(await read(id)).toMatchObject({ publishAt: null, closeAt: '2030-05-10T11:00' })

    const late = await create()
    await schedule(late.id, { closeAt: '2030-05-10T11:00' })
    now = new Date('2030-05-10T15:00:00Z')
    await setStatus(late.id, 'live')
    expect(await read(late.id)).toMatchObject({ status: 'live', closeAt: null })
  })
})

describe('goal, result and share texts', () => {
  const wrong: [field: string, errors: string, value: unknown, message: string][] = [
    ['meta', 'meta', 0, 'A meta é um número inteiro maior que zero, ou fica vazia'],
    ['meta', 'meta', 'mil', 'A meta é um número inteiro maior que zero, ou fica vazia'],
    ['meta', 'meta', 2 ** 40, 'A meta é um número inteiro maior que zero, ou fica vazia'],
    ['resultHtml', 'resultHtml', 7, 'Escreva o resultado como texto'],
    ['resultHtml', 'resultHtml', 'x'.repeat(40_001), 'O resultado passa do tamanho aceito'],
    ['shareTexts', 'shareTexts', 'oi', 'Informe os textos de compartilhamento por rede'],
    [
      'shareTexts',
      'shareTexts.whatsapp',
      { whatsapp: 'x'.repeat(1_001) },
      'O texto para WhatsApp aceita no máximo 1.000 caracteres',
    ],
    [
      'shareTexts',
      'shareTexts.twitter',
      { twitter: 'x'.repeat(257) },
      'O texto para Twitter aceita no máximo 256 caracteres: os outros 24 dos 280 da rede são do link',
    ],
  ]
  test.each(wrong)('a wrong %s is refused (%s)', async (field, errors, value, message) => {
    const refused = await admin.call('POST', campaigns, aCampaign({ [field]: value }))
    expect([refused.status, await refused.json()]).toMatchObject([400, { message, errors: { [errors]: message } }])
  })

  test('a stored Twitter text beyond the limit stays readable', async () => {
    const { id } = await create({ shareTexts: { twitter: 'x'.repeat(256) } })
    const shareTexts = { twitter: 'x'.repeat(900) }
    await site.rows('update campaigns set "shareTexts" = $1 where id = $2', [JSON.stringify(shareTexts), id])
    expect(await read(id)).toMatchObject({ shareTexts })
  })

  test('are stored, sanitised, shown to the public and in the audit log, and an outdated edit of them gets 409', async () => {
    const campaign = await create({ isActive: true })
    const edit = { ...campaign, meta: 5_000, shareTexts: { whatsapp: ' Assine já! ', twitter: '' } }
    const resultHtml = '<p>Obrigado!</p><script>x()</script>'
    const { campaign: saved } = await admin.ask<Written>('PUT', `${campaigns}/${campaign.id}`, { ...edit, resultHtml })

    expect(saved).toMatchObject({ meta: 5_000, resultHtml: '<p>Obrigado!</p>', shareTexts: { whatsapp: 'Assine já!' } })
    expect(saved.shareTexts).toEqual({ whatsapp: 'Assine já!' })
    const [entry] = await site.rows<{ changes: { field: string }[] }>(
      `select changes from admin_actions where action = 'Alterou campanha'`,
    )
    expect(entry?.changes.map(({ field }) => field)).toEqual([
      'Texto para WhatsApp',
      'Meta de assinaturas',
      'Resultado e agradecimento',
    ])
    const stale = await admin.call('PUT', `${campaigns}/${campaign.id}`, { ...campaign, meta: 10 })
    expect([stale.status, await stale.json()]).toMatchObject([409, { current: { meta: 5_000 } }])
    // The stored campaign that is sent back is no change.
    const again = await admin.ask<Written>('PUT', `${campaigns}/${campaign.id}`, saved)
    expect(again.campaign.revisao).toBe(saved.revisao)
    await setStatus(campaign.id, 'closed')
    await eventually(campaign.slug).toBe('closed')
    const shown = (await (await fetch(`${site.url}/api/campaigns/${campaign.slug}`)).json()) as Written
    expect(shown.campaign).toMatchObject({ resultHtml: '<p>Obrigado!</p>', meta: 5_000 })
  })
})

describe('copies, drafts and order', () => {
  test('a copy is a draft with the same texts, a free slug, its own tab and no signatures', async () => {
    const original = await create({ isActive: true, baseCount: 40, meta: 900, shareTexts: { telegram: 'Vem' } })
    await live(original.slug)
    expect((await sign(original.slug)).status).toBe(201)

    const { campaign: copy } = await admin.ask<Written>('POST', `${campaigns}/${original.id}/duplicar`)
    const { campaign: second } = await admin.ask<Written>('POST', `${campaigns}/${original.id}/duplicar`)

    expect(copy).toMatchObject({
      titulo: `${original.titulo} (cópia)`,
      slug: `${original.slug}-copia`,
      sheetTab: `${original.sheetTab} (cópia)`,
      manifestoHtml: original.manifestoHtml,
      ...{ status: 'draft', isActive: false, baseCount: 0, signatures: 0, meta: 900, versaoManifesto: 1 },
      shareTexts: { telegram: 'Vem' },
    })
    expect([second.slug, second.sheetTab]).toEqual([`${original.slug}-copia-2`, `${original.sheetTab} (cópia 2)`])
  })

  test('a copy of the longest title, slug and tab still fits', async () => {
    const long = { titulo: 'é'.repeat(200), slug: 'a'.repeat(100), sheetTab: 'ã'.repeat(50) }
    const original = await create(long)
    const { campaign: copy } = await admin.ask<Written>('POST', `${campaigns}/${original.id}/duplicar`)
    expect([copy.titulo.length, copy.slug.length, copy.sheetTab.length]).toEqual([200, 100, 50])
  })

  test('a draft is deleted with its images; a published campaign is not', async () => {
    const { imagemUrl: url } = await admin.ask<{ imagemUrl: string }>(
      'POST',
      '/api/admin/imagens',
      imageForm(await aPicture()),
    )
    const draft = await create({ heroImageUrl: url })
    await site.rows('update media set "reservedUntil" = null where "reservedUntil" is not null')
    expect(await statusOf(url)).toBe(200)
    await site.rows('delete from admin_actions')

    const deleted = await admin.call('DELETE', `${campaigns}/${draft.id}`)

    expect([deleted.status, ((await deleted.json()) as Written).message]).toEqual([200, 'Rascunho apagado.'])
    expect((await admin.call('GET', `${campaigns}/${draft.id}`)).status).toBe(404)
    expect(await site.rows('select 1 from media where $1 like $2 || sha256 || $3', [url, '%', '%'])).toEqual([])
    expect(await auditLog()).toEqual(['admin: Apagou rascunho de campanha'])

    const live = await create({ isActive: true })
    const refused = await admin.call('DELETE', `${campaigns}/${live.id}`)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { message: 'Só rascunhos podem ser apagados. Tire a campanha do ar ou encerre.' },
    ])
  })

  test('the order that an administrator chooses is that of the list and of the public list', async () => {
    const order = async () =>
      (await admin.ask<{ campaigns: CampaignSummary[] }>('GET', campaigns)).campaigns.map(({ id }) => id)
    const move = (body: object) => admin.call('PUT', `${campaigns}/ordem`, body)
    const [first, second, third] = [
      await create({ isActive: true }),
      await create({}),
      await create({ isActive: true }),
    ]
    const before = await order()
    expect(before.slice(0, 3)).toEqual([third.id, second.id, first.id])

    // Two organisers move different campaigns of the same list.
    const moves = await Promise.all([
      move({ id: second.id, vizinha: first.id, lado: 'depois' }),
      move({ id: third.id, vizinha: first.id, lado: 'depois' }),
    ])

    expect(moves.map(({ status }) => status)).toEqual([200, 200])
    const after = await order()
    expect(after[0]).toBe(first.id)
    expect(after.slice(1, 3).toSorted()).toEqual([second.id, third.id].toSorted())
    expect(after.slice(3)).toEqual(before.slice(3))
    const shown = async () => {
      const reply = (await (await fetch(`${site.url}/api/campaigns`)).json()) as { campaigns: CampaignSummary[] }
      return reply.campaigns.slice(0, 2).map(({ slug }) => slug)
    }
    await expect.poll(shown).toEqual([first.slug, third.slug])

    await admin.ask('DELETE', `${campaigns}/${second.id}`)
    expect((await move({ id: first.id, vizinha: second.id, lado: 'depois' })).status).toBe(409)
    expect((await move({ id: second.id, vizinha: first.id, lado: 'antes' })).status).toBe(409)
    expect((await move({ id: 'x', vizinha: first.id, lado: 'antes' })).status).toBe(400)
    expect((await move({ id: third.id, vizinha: first.id, lado: 'acima' })).status).toBe(400)
    expect(await order()).toEqual(after.filter((id) => id !== second.id))
  })
})

describe('an earlier version of the manifesto', () => {
  test('is restored as a new version, once, and not over the edit of somebody else', async () => {
    const campaign = await create({ isActive: true, manifestoHtml: '<p>Um</p>' })
    const edit = { ...campaign, manifestoHtml: '<p>Dois</p>' }
    const { campaign: second } = await admin.ask<Written>('PUT', `${campaigns}/${campaign.id}`, edit)
    const restore = (revisao: number, versao = 1) =>
      admin.call('POST', `${campaigns}/${campaign.id}/versoes/${versao}/restaurar`, { revisao })

    expect((await restore(campaign.revisao)).status).toBe(409)
    const restored = (await (await restore(second.revisao)).json()) as Written

    expect(restored.message).toBe('Texto restaurado. O manifesto agora está na versão 3.')
    expect(restored.campaign).toMatchObject({ manifestoHtml: '<p>Um</p>', versaoManifesto: 3 })
    const same = (await (await restore(restored.campaign.revisao)).json()) as Written
    expect([same.message, same.campaign.versaoManifesto]).toEqual(['O manifesto já tem esse texto.', 3])
    expect((await restore(restored.campaign.revisao, 99)).status).toBe(404)
    expect(
      await site.rows('select html from manifestos where "campaignId" = $1 order by versao', [campaign.id]),
    ).toEqual([{ html: '<p>Um</p>' }, { html: '<p>Dois</p>' }, { html: '<p>Um</p>' }])
  })
})
