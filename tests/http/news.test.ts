// Campaign news: drafts, publishing, recipients, sending by e-mail, and what happens when something fails.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminMessages } from '#contract/admin/messages.ts'
import type { SavedSegment, StoredNews } from '#contract/admin/news.ts'
import { newsOrigin } from '#contract/news.ts'
import { mailboxHmac } from '#server/core/address-key.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { addPerson, aNewsItem, campaignId, newsClient } from '#tests/helpers/news.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const { news: texts, auditLog } = adminMessages

let smtp: SmtpServer
let site: TestSite
let admin: Administrator
let news: ReturnType<typeof newsClient>
let now = new Date()
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '60000' }
  site = await openTestSite(env, {
    deliveries: { pollMs: 100, pauseMs: 10, maxTries: 3 },
    periods: { now: () => now, scheduleMs: 50 },
  })
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.empty()
  now = new Date()
  smtp.received.length = 0
  Object.assign(smtp.faults, { delayMs: 0, recipient: () => undefined, data: () => undefined })
  admin = await enter(site)
  news = newsClient(admin, site.rows)
})

const person = (state: Parameters<typeof addPerson>[1] = {}) => addPerson(site.rows, state)
const recipients = () => smtp.received.flatMap(({ to }) => to).toSorted()
const unsubscribe = (email: string, column = '"unsubscribedAt"') =>
  site.rows(
    `insert into enderecos ("addressHmac", ${column}) values ($1, now())
    on conflict ("addressHmac") do update set ${column} = now()`,
    [mailboxHmac(site.addressKey, email)],
  )
const refused = async (method: string, path: string, body?: object) => {
  const response = await admin.call(method, path, body)
  return {
    status: response.status,
    ...((await response.json()) as { message: string; errors?: object; current?: StoredNews }),
  }
}

describe('drafts', () => {
  test('a draft is stored sanitized, listed, edited and deleted', async () => {
    const draft = await news.create({ html: '<p onclick="x()">Olá<script>alert(1)</script></p>' })
    expect(draft).toMatchObject({ html: '<p>Olá</p>', status: 'draft', n: null, envio: null, revisao: 1 })

    const saved = await admin.ask<{ novidade: StoredNews }>('PUT', news.path(draft.id), {
      ...aNewsItem({ titulo: 'Outro título' }),
      revisao: 1,
    })
    expect(saved.novidade).toMatchObject({ titulo: 'Outro título', revisao: 2 })
    const list = await admin.ask<{ novidades: { titulo: string }[] }>('GET', '/api/admin/novidades')
    expect(list.novidades.map(({ titulo }) => titulo)).toEqual(['Outro título'])

    await admin.ask('DELETE', news.path(draft.id))
    expect(await refused('GET', news.path(draft.id))).toMatchObject({ status: 404, message: texts.notFound })
    const log = await site.rows<{ action: string }>('select action from admin_actions order by id')
    expect(log.map(({ action }) => action)).toEqual([
      'Criou novidade',
      'Alterou novidade',
      'Apagou rascunho de novidade',
    ])
  })

  test('an edit of an outdated version is refused with the stored one', async () => {
    const draft = await news.create()
    await admin.ask('PUT', news.path(draft.id), { ...aNewsItem({ titulo: 'Primeira' }), revisao: 1 })
    const reply = await refused('PUT', news.path(draft.id), { ...aNewsItem({ titulo: 'Segunda' }), revisao: 1 })
    expect(reply).toMatchObject({ status: 409, message: texts.conflict, current: { titulo: 'Primeira', revisao: 2 } })
  })

  test('a draft keeps a destination', async () => {
    const draft = await news.create()
    const body = { ...aNewsItem({ naPagina: false, porEmail: false }), revisao: draft.revisao }
    expect(await refused('PUT', news.path(draft.id), body)).toMatchObject({
      ...{ status: 400, errors: { porEmail: texts.destination } },
    })
  })

  test.each([
    ['no title', { titulo: ' ' }, { titulo: texts.title }],
    ['an empty text', { html: '<p> </p>' }, { html: texts.html }],
    ['no destination', { naPagina: false, porEmail: false }, { porEmail: texts.destination }],
    ['an image from elsewhere', { imagem: 'https://example.org/a.png' }, { imagem: texts.image }],
    ['an image that is not stored', { imagem: `/media/${'0'.repeat(64)}.webp` }, { imagem: texts.imageGone }],
    ['no kind of person', { segmento: { tipos: [] } }, { 'segmento.tipos': texts.segmentKinds }],
    [
      'a campaign that does not exist',
      { segmento: { tipos: ['assinaturas'], campanhas: [999999] } },
      { segmento: texts.segmentCampaign },
    ],
    [
      'an earlier item that does not exist',
      { segmento: { tipos: ['assinaturas'], semRecebedoresDe: 999999 } },
      { segmento: texts.segmentNews },
    ],
    [
      'dates in the wrong order',
      { segmento: { tipos: ['assinaturas'], de: '2026-02-01', ate: '2026-01-01' } },
      { 'segmento.ate': texts.segmentDates },
    ],
  ])('%s is refused with a sentence', async (_, fields, errors) => {
    const body = { campanha: await campaignId(site.rows), ...aNewsItem(fields) }
    expect(await refused('POST', '/api/admin/novidades', body)).toMatchObject({ status: 400, errors })
  })

  test('a campaign that does not exist is refused', async () => {
    const reply = await refused('POST', '/api/admin/novidades', { campanha: 999999, ...aNewsItem() })
    expect(reply).toMatchObject({ status: 400, errors: { campanha: texts.campaign } })
  })
})

describe('publishing', () => {
  test('news of a campaign get consecutive numbers, also when published at the same time', async () => {
    const drafts = await Promise.all([1, 2, 3].map(() => news.create({ porEmail: false })))
    const published = await Promise.all(drafts.map((draft) => news.publish(draft)))
    expect(published.map(({ novidade }) => novidade.n).toSorted()).toEqual([1, 2, 3])
    expect(published[0]?.novidade).toMatchObject({ status: 'published', envio: null })
  })

  test('a published item cannot be published again, deleted, or sent to others', async () => {
    const draft = await news.create()
    const { novidade } = await news.publish(draft)
    const { id, revisao } = novidade
    expect(await refused('POST', news.path(id, '/publicar'), { revisao })).toMatchObject({
      status: 409,
      message: texts.notDraft,
    })
    expect(await refused('DELETE', news.path(id))).toMatchObject({ status: 409, message: texts.deletePublished })
    expect(await refused('POST', news.path(id, '/contar'), {})).toMatchObject({
      status: 409,
      message: texts.alreadySending,
    })
    const widened = { ...aNewsItem({ segmento: { tipos: ['voluntarios'] } }), revisao }
    expect(await refused('PUT', news.path(id), widened)).toMatchObject({ status: 400, message: texts.segmentFixed })
  })

  test('a published item that was taken off the page can be edited', async () => {
    const { novidade } = await news.publish(await news.create({ porEmail: false }))
    await admin.ask('PUT', news.path(novidade.id, '/pagina'), { naPagina: false })
    const { revisao } = await news.read(novidade.id)
    const body = { ...aNewsItem({ titulo: 'Corrigida', naPagina: false, porEmail: false }), revisao }
    await admin.ask('PUT', news.path(novidade.id), body)
    expect(await news.read(novidade.id)).toMatchObject({ titulo: 'Corrigida', naPagina: false })
  })

  test('publishing an outdated version is refused', async () => {
    const draft = await news.create()
    await admin.ask('PUT', news.path(draft.id), { ...aNewsItem({ titulo: 'Nova' }), revisao: 1 })
    expect(await refused('POST', news.path(draft.id, '/publicar'), { revisao: 1 })).toMatchObject({
      status: 409,
      message: texts.conflict,
    })
  })

  test('an item of a campaign that is off the air is refused', async () => {
    await site.rows(`update campaigns set "isActive" = false where slug = 'juros'`)
    try {
      const { id, revisao } = await news.create()
      expect(await refused('POST', news.path(id, '/publicar'), { revisao })).toMatchObject({
        status: 409,
        message: texts.campaignOffline,
      })
    } finally {
      await site.rows(`update campaigns set "isActive" = true where slug = 'juros'`)
    }
  })

  test('a scheduled item is published and sent at its time, once, and not before', async () => {
    const { email } = await person()
    const { id } = await news.create()
    const quando = '2030-01-01T09:00'
    const { novidade } = await admin.ask<{ novidade: StoredNews }>('PUT', news.path(id, '/agenda'), {
      revisao: 1,
      quando,
    })
    expect(novidade).toMatchObject({ status: 'scheduled', agendadaPara: quando })
    now = new Date('2030-01-01T11:59:59Z')
    await delay(300)
    expect((await news.read(id)).status).toBe('scheduled')

    now = new Date('2030-01-01T12:00:00Z')
    await expect.poll(async () => (await news.read(id)).status).toBe('published')
    await news.until(id, 'done')
    expect(recipients()).toEqual([email])
    const log = await site.rows(`select username, action from admin_actions where action like '%horário marcado'`)
    expect(log).toEqual([{ username: 'agendamento', action: 'Publicou novidade no horário marcado' }])
  })

  test('an item whose campaign is off the air at its time becomes a draft after an hour', async () => {
    const { id } = await news.create()
    await admin.ask('PUT', news.path(id, '/agenda'), { revisao: 1, quando: '2030-01-01T09:00' })
    await site.rows(`update campaigns set "isActive" = false where slug = 'juros'`)
    try {
      now = new Date('2030-01-01T12:30:00Z')
      await delay(300)
      expect((await news.read(id)).status).toBe('scheduled')
      now = new Date('2030-01-01T13:01:00Z')
      await expect.poll(async () => (await news.read(id)).status).toBe('draft')
    } finally {
      await site.rows(`update campaigns set "isActive" = true where slug = 'juros'`)
    }
    const log = await site.rows('select username, action from admin_actions order by id desc limit 1')
    expect(log).toEqual([{ username: 'agendamento', action: auditLog.newsWithdrawnBySchedule }])
  })

  test('a schedule can be cancelled, and a past time or one in the year 9999 is refused', async () => {
    const { id } = await news.create()
    const past = await refused('PUT', news.path(id, '/agenda'), { revisao: 1, quando: '2020-01-01T09:00' })
    expect(past).toMatchObject({ status: 400, errors: { quando: texts.past } })
    const far = await refused('PUT', news.path(id, '/agenda'), { revisao: 1, quando: '9999-12-31T23:59' })
    expect(far).toMatchObject({ status: 400, errors: { quando: texts.minute } })
    await admin.ask('PUT', news.path(id, '/agenda'), { revisao: 1, quando: '2030-01-01T09:00' })
    const { novidade } = await admin.ask<{ novidade: StoredNews }>('DELETE', news.path(id, '/agenda'))
    expect(novidade).toMatchObject({ status: 'draft', agendadaPara: null })
    expect(await refused('DELETE', news.path(id, '/agenda'))).toMatchObject({
      status: 409,
      message: texts.notScheduled,
    })
  })

  test('a published item can be hidden and shown again with the same number', async () => {
    const { id } = (await news.publish(await news.create({ porEmail: false }))).novidade
    const hidden = await admin.ask<{ novidade: StoredNews }>('PUT', news.path(id, '/pagina'), { naPagina: false })
    expect(hidden.novidade).toMatchObject({ naPagina: false, n: 1 })
    const shown = await admin.ask<{ novidade: StoredNews }>('PUT', news.path(id, '/pagina'), { naPagina: true })
    expect(shown.novidade).toMatchObject({ naPagina: true, n: 1 })
  })
})

describe('edits and publications that meet', () => {
  test('news that are shown on the page at the same time get different numbers', async () => {
    const items: number[] = []
    for (let n = 0; n < 8; n += 1) {
      const { novidade } = await news.publish(await news.create({ naPagina: false }))
      items.push(novidade.id)
    }
    const shown = await Promise.all(
      items.map((id) => admin.ask<{ novidade: StoredNews }>('PUT', news.path(id, '/pagina'), { naPagina: true })),
    )
    expect(shown.map(({ novidade }) => novidade.n).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('the text of a published item can be corrected after a campaign of its segment was deleted', async () => {
    const [draft] = await site.rows<{ id: string }>(
      `insert into campaigns (slug, titulo, "manifestoHtml", status, "isActive", "sheetTab", ordem)
      values ('apagada', 'Apagada', '<p>a</p>', 'draft', false, 'apagada', 99) returning id`,
    )
    const segmento = { tipos: ['assinaturas'], campanhas: [Number(draft?.id)] }
    const { novidade } = await news.publish(await news.create({ segmento }))
    await site.rows('delete from campaigns where id = $1', [draft?.id])
    const corrected = { ...aNewsItem({ titulo: 'Corrigida', segmento }), revisao: novidade.revisao }
    const saved = await admin.ask<{ novidade: StoredNews }>('PUT', news.path(novidade.id), corrected)
    expect(saved.novidade.titulo).toBe('Corrigida')
  })

  test('the publication is a change, so that feed readers notice an item that was written earlier', async () => {
    const draft = await news.create({ porEmail: false })
    await site.rows(`update news set "updatedAt" = now() - interval '30 days'`)
    const { novidade } = await news.publish(draft)
    expect(novidade.alteradaEm).toBe(novidade.publicadaEm)
  })
})

describe('recipients', () => {
  test('only confirmed people who accepted the news are counted, and the others with their reason', async () => {
    await person()
    await person({ acceptsNews: false })
    await person({ isConfirmed: false })
    const left = await person()
    await unsubscribe(left.email)
    const never = await person()
    await unsubscribe(never.email, '"doNotContactAt"')
    const bounced = await person()
    await unsubscribe(bounced.email, '"rejectedAt"')
    const optedOut = await person()
    await site.rows('insert into news_opt_outs ("addressHmac", "campaignId") values ($1, $2)', [
      mailboxHmac(site.addressKey, optedOut.email),
      await campaignId(site.rows),
    ])
    const { id } = await news.create()

    const counted = await news.count(id)

    expect(counted).toMatchObject({ destinatarios: 1, lidos: 7, desatualizada: false })
    expect(counted.excluidos).toEqual({
      ...{ 'sem-aceite': 1, 'sem-confirmacao': 1, descadastrado: 1, 'nao-contatar': 1, suspenso: 1 },
      'fora-da-campanha': 1,
    })
    await delay(300)
    expect(recipients()).toEqual([])
  })

  test('a person with two records gets one e-mail', async () => {
    await person({ email: 'maria@example.org' })
    await person({ email: 'maria+lista@example.org', campanha: 'brasilquerpaz' })
    await person({ email: 'maria@example.org', kind: 'voluntarios' })
    const id = await news.send({ segmento: { tipos: ['assinaturas', 'voluntarios'] } })
    const { destinatarios, excluidos } = await news.until(id, 'done')
    expect({ destinatarios, excluidos }).toEqual({ destinatarios: 1, excluidos: { repetido: 2 } })
    expect(smtp.received).toHaveLength(1)
  })

  test('a record without confirmation is not replaced by another record of the mailbox', async () => {
    await person({ email: 'ana@example.org', isConfirmed: false })
    await person({ email: 'ana@example.org', campanha: 'brasilquerpaz', acceptsNews: false })
    const { id } = await news.create()
    expect(await news.count(id)).toMatchObject({
      destinatarios: 0,
      excluidos: { 'sem-aceite': 1, 'sem-confirmacao': 1 },
    })
  })

  test.each([
    ['kind', { tipos: ['voluntarios'] }, ['voluntario']],
    [
      'all kinds',
      { tipos: ['assinaturas', 'voluntarios', 'influenciadores', 'lideres'] },
      ['juros', 'lider', 'paz', 'voluntario'],
    ],
    [
      'state, which leaves out volunteers',
      { tipos: ['assinaturas', 'voluntarios', 'lideres'], estados: ['BA'] },
      ['lider', 'paz'],
    ],
    ['city without accents', { tipos: ['assinaturas'], cidade: 'sao paulo' }, ['juros']],
    ['origin', { tipos: ['assinaturas', 'lideres'], origem: 'feira' }, ['paz']],
    ['first day', { tipos: ['assinaturas'], de: '2026-03-01' }, ['juros']],
    ['last day, included until its end in Brasília', { tipos: ['assinaturas'], ate: '2026-02-28' }, ['paz']],
    ['tag', { tipos: ['assinaturas', 'lideres'], etiquetas: ['imprensa'] }, ['lider']],
  ])('a segment by %s', async (_, segmento, expected) => {
    const emails = {
      juros: (await person({ createdAt: '2026-03-01T12:00:00Z' })).email,
      // 23:30 in Brasília on the last day of February.
      paz: (
        await person({
          campanha: 'brasilquerpaz',
          estado: 'BA',
          cidade: 'Salvador',
          origem: 'feira',
          createdAt: '2026-03-01T02:30:00Z',
        })
      ).email,
      voluntario: (await person({ kind: 'voluntarios' })).email,
      lider: '',
    }
    const leader = await person({ kind: 'lideres', estado: 'BA', cidade: 'Salvador' })
    emails.lider = leader.email
    await site.rows(`insert into people_workflow (kind, id, tags) values ('lideres', $1, '{imprensa,bahia}')`, [
      leader.id,
    ])
    const id = await news.send({ segmento })
    await news.until(id, 'done')
    expect(recipients()).toEqual(expected.map((name) => emails[name as keyof typeof emails]).toSorted())
  })

  test('campaigns restrict only signatures', async () => {
    const paz = await person({ campanha: 'brasilquerpaz' })
    await person()
    const volunteer = await person({ kind: 'voluntarios' })
    const campanhas = [await campaignId(site.rows, 'brasilquerpaz')]
    const id = await news.send({ segmento: { tipos: ['assinaturas', 'voluntarios'], campanhas } })
    await news.until(id, 'done')
    expect(recipients()).toEqual([paz.email, volunteer.email].toSorted())
  })

  test('recipients of an earlier item can be left out', async () => {
    const first = await person()
    const earlier = await news.send()
    await news.until(earlier, 'done')
    const second = await person()
    await site.rows('update enderecos set "newsSentOn" = null')
    smtp.received.length = 0
    const id = await news.send({ segmento: { tipos: ['assinaturas'], semRecebedoresDe: earlier } })
    expect(await news.until(id, 'done')).toMatchObject({ destinatarios: 1, excluidos: { 'ja-recebeu': 1 } })
    expect(recipients()).toEqual([second.email])
    expect(first.email).not.toBe(second.email)
  })

  test('a count of an outdated segment says so, and publishing counts again', async () => {
    const volunteer = await person({ kind: 'voluntarios' })
    await person()
    const { id } = await news.create()
    await news.count(id)
    const segmento = { tipos: ['voluntarios'] }
    await admin.ask('PUT', news.path(id), { ...aNewsItem({ segmento }), revisao: 1 })
    expect(await news.progress(id)).toMatchObject({ status: 'prepared', desatualizada: true })
    await news.publish(await news.read(id))
    expect(await news.until(id, 'done')).toMatchObject({ destinatarios: 1, desatualizada: false })
    expect(recipients()).toEqual([volunteer.email])
  })

  test('a count older than ten minutes is repeated when the item is published', async () => {
    const { id } = await news.create()
    expect((await news.count(id)).destinatarios).toBe(0)
    const late = await person()
    await site.rows(`update news_sends set "preparedAt" = now() - interval '11 minutes'`)
    await news.publish(await news.read(id))
    await news.until(id, 'done')
    expect(recipients()).toEqual([late.email])
  })

  test('preparation continues where a stopped server left it, and counts everybody once', async () => {
    for (let n = 0; n < 3; n += 1) await person()
    const { id } = await news.create()
    const first = await site.rows<{ id: string }>('select id from peticoes order by id limit 1')
    await news.count(id)
    // As another server left it after the first record.
    await site.rows(
      `update news_sends set status = 'preparing', "scannedUpTo" = $1, scanned = 1, recipients = 1, "leasedBy" = gen_random_uuid(),
        "leasedUntil" = now() + interval '1 second'`,
      [first[0]?.id],
    )
    await site.rows('delete from news_recipients where "recordId" <> $1', [first[0]?.id])
    expect(await news.until(id, 'prepared')).toMatchObject({ destinatarios: 3, lidos: 3, excluidos: {} })
  })
})

describe('saved segments', () => {
  test('a segment is saved under a unique name and removed', async () => {
    const segmento = { tipos: ['lideres'], estados: ['BA'] }
    await admin.ask('POST', '/api/admin/novidades/selecoes', { nome: 'Líderes da Bahia', segmento })
    const again = await refused('POST', '/api/admin/novidades/selecoes', { nome: 'Líderes da Bahia', segmento })
    expect(again).toMatchObject({ status: 409, errors: { nome: texts.segmentTaken } })
    const { selecoes } = await admin.ask<{ selecoes: SavedSegment[] }>('GET', '/api/admin/novidades/selecoes')
    expect(selecoes).toMatchObject([{ nome: 'Líderes da Bahia', segmento, autor: 'admin' }])
    const path = `/api/admin/novidades/selecoes/${selecoes[0]?.id}`
    await admin.ask('DELETE', path)
    expect(await refused('DELETE', path)).toMatchObject({ status: 404, message: texts.segmentGone })
  })
})

describe('sending', () => {
  test('an e-mail has a one-click unsubscribe link of its own that works', async () => {
    const { email } = await person()
    const id = await news.send()
    await news.until(id, 'done')
    const [mail] = await smtp.parsed()
    const header = (key: string) => mail?.headers.find((one) => one.key === key)?.value ?? ''
    expect(mail?.subject).toBe('Entregamos as assinaturas')
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const token = /descadastrar\/([\w-]{22})/.exec(header('list-unsubscribe'))?.[1]
    const path = `${site.url}/api/descadastrar/${token}`
    const reply = await fetch(path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    expect(reply.status).toBe(200)
    const [state] = await site.rows('select "unsubscribedAt" from enderecos where "addressHmac" = $1', [
      mailboxHmac(site.addressKey, email),
    ])
    expect(state?.unsubscribedAt).not.toBeNull()
  })

  test('a retry has the same Message-ID, and is counted once', async () => {
    await person()
    let failures = 1
    smtp.faults.data = () => (failures-- > 0 ? { code: 451, text: '4.3.0 try again' } : undefined)
    const seen: string[] = []
    const accept = smtp.faults.data
    smtp.faults.data = (raw) => {
      seen.push(String(/^Message-ID:\s*(<[^>]+>)/im.exec(raw)?.[1]))
      return accept(raw)
    }
    const id = await news.send()
    expect(await news.until(id, 'done')).toMatchObject({ aceitos: 1, recusados: 0 })
    expect(seen).toHaveLength(2)
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toMatch(/^<novidade-.+@example\.org>$/)
  })

  test('a rejected address is counted, suppressed, and gets no more e-mail', async () => {
    const good = await person()
    const bad = await person()
    smtp.faults.recipient = (address) => (address === bad.email ? { code: 550, text: '5.1.1 no such user' } : undefined)
    const id = await news.send()
    expect(await news.until(id, 'done')).toMatchObject({ aceitos: 1, recusados: 1, parados: 0 })
    expect(recipients()).toEqual([good.email])
    const next = await news.create()
    expect((await news.count(next.id)).excluidos).toEqual({ suspenso: 1 })
  })

  test('a mail server that always fails leaves dead letters, which can be sent again', async () => {
    const { email } = await person()
    smtp.faults.data = () => ({ code: 451, text: '4.3.0 broken' })
    const id = await news.send()
    await expect.poll(async () => (await news.progress(id))?.parados).toBe(1)
    expect(await news.until(id, 'done')).toMatchObject({ aceitos: 0, parados: 1 })
    smtp.faults.data = () => undefined
    await admin.ask('POST', '/api/admin/sistema/entregas/reenviar', {})
    await expect.poll(() => news.progress(id)).toMatchObject({ status: 'done', aceitos: 1, parados: 0 })
    expect(recipients()).toEqual([email])
  })

  test('a person who leaves between the count and the sending gets nothing', async () => {
    const stays = await person()
    const leaves = await person()
    const erased = await person()
    const { id } = await news.create()
    await news.count(id)
    await unsubscribe(leaves.email)
    await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${erased.id}`)
    await news.publish(await news.read(id))
    expect(await news.until(id, 'done')).toMatchObject({ destinatarios: 3, aceitos: 1, dispensados: 2 })
    expect(recipients()).toEqual([stays.email])
  })

  test('sending that another node began before it crashed is continued', async () => {
    const { email } = await person()
    const { id } = await news.create()
    await news.count(id)
    // What the other node had committed. Nothing wakes this node.
    await site.rows(`update news_sends set status = 'sending', "sendsWhenPrepared" = true, "startedAt" = now()`)

    await news.until(id, 'done')

    expect(recipients()).toEqual([email])
  })

  test('when the server rejects the text again and again, sending pauses, and nobody is lost', async () => {
    const people: string[] = []
    for (let n = 0; n < 60; n += 1) people.push((await person()).email)
    smtp.faults.data = () => ({ code: 554, text: '5.7.1 looks like spam' })
    const id = await news.send()
    expect(await news.until(id, 'paused')).toMatchObject({
      aceitos: 0,
      motivoPausa: texts.pausedByRejections('O servidor de e-mail respondeu: 554 5.7.1 looks like spam'),
    })
    // What was being sent is rejected too.
    await news.atRest()
    smtp.faults.data = () => undefined
    expect(await news.resumeUntilDone(id)).toMatchObject({ aceitos: 60, recusados: 0, parados: 0, motivoPausa: null })
    expect(recipients()).toEqual(people.toSorted())
  })

  test('a message that the server rejects twice for one person counts as rejected', async () => {
    const good = await person()
    const bad = await person()
    smtp.faults.data = (raw) => (raw.includes(bad.email) ? { code: 554, text: '5.7.1 no' } : undefined)
    expect(await news.until(await news.send(), 'done')).toMatchObject({ aceitos: 1, recusados: 1, parados: 0 })
    expect(recipients()).toEqual([good.email])
  })

  test('sending pauses while its campaign is off the air', async () => {
    const people: string[] = []
    for (let n = 0; n < 12; n += 1) people.push((await person()).email)
    const isActive = (active: boolean) =>
      site.rows(`update campaigns set "isActive" = $1 where slug = 'juros'`, [active])
    smtp.faults.delayMs = 100
    const id = await news.send()
    await expect.poll(() => smtp.received.length).toBeGreaterThan(0)
    await isActive(false)
    try {
      expect(await news.until(id, 'paused')).toMatchObject({ motivoPausa: texts.pausedOffAir })
      // What was being sent when the campaign went off the air arrives.
      await news.atRest()
      expect(smtp.received.length).toBeLessThan(12)
    } finally {
      await isActive(true)
    }
    smtp.faults.delayMs = 0
    expect(await news.resumeUntilDone(id)).toMatchObject({ aceitos: 12 })
    expect(recipients()).toEqual(people.toSorted())
  })

  test('paused sending stops, resumes where it was, and reaches everybody once', async () => {
    const people: string[] = []
    for (let n = 0; n < 12; n += 1) people.push((await person()).email)
    smtp.faults.delayMs = 100
    const id = await news.send()
    await expect.poll(() => smtp.received.length).toBeGreaterThan(0)
    await admin.ask('POST', news.path(id, '/envio/pausar'), {})
    await news.atRest()
    const atPause = smtp.received.length
    expect(atPause).toBeLessThan(12)
    await delay(400)
    expect(smtp.received.length).toBe(atPause)
    expect(await refused('POST', news.path(id, '/envio/pausar'), {})).toMatchObject({
      status: 409,
      message: texts.notSending,
    })
    smtp.faults.delayMs = 0
    expect(await news.resumeUntilDone(id)).toMatchObject({ aceitos: 12 })
    expect(recipients()).toEqual(people.toSorted())
  })

  test('many deliveries that wait for the next day are paused, resumed and cancelled in parts', async () => {
    const id = await news.send()
    await news.until(id, 'done')
    await site.rows(
      `insert into outbox (kind, payload, "dueAt")
      select 'novidade', jsonb_build_object('novidade', $1::int, 'destinatario', encode(sha256(n::text::bytea), 'base64')),
        now() + interval '1 day' from generate_series(1, 12000) n`,
      [id],
    )
    await site.rows(`update news_sends set status = 'sending'`)
    const waiting = async (dueAt: string) =>
      (await site.rows<{ n: number }>(`select count(*)::int as n from outbox where "dueAt" ${dueAt}`))[0]?.n
    await admin.ask('POST', news.path(id, '/envio/pausar'), {})
    await expect.poll(() => waiting(`= 'infinity'`)).toBe(12_000)
    await admin.ask('POST', news.path(id, '/envio/retomar'), {})
    await expect.poll(() => waiting(`< 'infinity'`)).toBeGreaterThan(0)
    await admin.ask('POST', news.path(id, '/envio/pausar'), {})
    await admin.ask('POST', news.path(id, '/envio/cancelar'), {})
    await expect.poll(() => waiting('is not null')).toBe(0)
  })

  test('cancelled sending sends nothing more', async () => {
    for (let n = 0; n < 12; n += 1) await person()
    smtp.faults.delayMs = 100
    const id = await news.send()
    await expect.poll(() => smtp.received.length).toBeGreaterThan(0)
    await admin.ask('POST', news.path(id, '/envio/cancelar'), {})
    await news.atRest()
    const sent = smtp.received.length
    await delay(300)
    expect(smtp.received.length).toBe(sent)
    expect(sent).toBeLessThan(12)
    expect(await site.rows(`select 1 from outbox where kind = 'novidade'`)).toEqual([])
    expect(await refused('POST', news.path(id, '/envio/retomar'), {})).toMatchObject({
      status: 409,
      message: texts.notPaused,
    })
  })

  test('a mailbox gets one news e-mail a day, and the next item waits until tomorrow', async () => {
    const { email } = await person()
    await news.until(await news.send(), 'done')
    const second = await news.send({ titulo: 'A segunda do dia' })
    await expect.poll(async () => (await news.progress(second))?.adiados).toBe(1)
    expect(smtp.received).toHaveLength(1)
    // Nobody is left for today.
    expect(await news.progress(second)).toMatchObject({ status: 'sending', segundosRestantes: 0 })

    // The limit also holds for an e-mail that was already due.
    await site.rows(`update outbox set "dueAt" = now() where kind = 'novidade'`)
    site.deliveries.wake()
    await expect
      .poll(async () => (await site.rows(`select 1 from outbox where reason like 'Este endereço já%'`)).length)
      .toBe(1)
    expect(smtp.received).toHaveLength(1)

    // Tomorrow.
    await site.rows(`update enderecos set "newsSentOn" = "newsSentOn" - 1`)
    await site.rows(`update outbox set "dueAt" = now() where kind = 'novidade'`)
    site.deliveries.wake()
    expect(await news.until(second, 'done')).toMatchObject({ aceitos: 1 })
    expect(recipients()).toEqual([email, email])
  })

  test('an e-mail that failed yesterday counts for the day on which it is sent again', async () => {
    const { email } = await person()
    smtp.faults.data = () => ({ code: 451, text: '4.3.0 broken' })
    const first = await news.send()
    expect(await news.until(first, 'done')).toMatchObject({ parados: 1 })
    smtp.faults.data = () => undefined
    await site.rows(`update enderecos set "newsSentOn" = "newsSentOn" - 1`)
    await site.rows(`update outbox set payload = payload || jsonb_build_object('contado', '2026-01-01')`)
    await news.until(await news.send({ titulo: 'A de hoje' }), 'done')
    expect(recipients()).toEqual([email])

    await admin.ask('POST', '/api/admin/sistema/entregas/reenviar', {})

    await expect
      .poll(async () => (await site.rows(`select 1 from outbox where reason like 'Este endereço já%'`)).length)
      .toBe(1)
    expect(recipients()).toEqual([email])
  })

  test('signatures and sign-ups through the links of an item are its results', async () => {
    const { novidade } = await news.publish(await news.create({ porEmail: false }))
    await postJson(`${site.url}/api/peticoes`, { ...aSignature(), origem: newsOrigin(novidade.id) })
    await postJson(`${site.url}/api/peticoes`, { ...aSignature(), origem: 'outra' })
    const { porTipo } = await admin.ask<{ porTipo: object }>('GET', news.path(novidade.id, '/resultados'))
    expect(porTipo).toEqual({ assinaturas: 1, voluntarios: 0, influenciadores: 0, lideres: 0 })
  })

  test('the results of an item are counted at most once a minute, and those of another one anew', async () => {
    const resultsOf = async (id: number) =>
      (await admin.ask<{ porTipo: { assinaturas: number } }>('GET', news.path(id, '/resultados'))).porTipo.assinaturas
    const { novidade: first } = await news.publish(await news.create({ porEmail: false }))
    const { novidade: second } = await news.publish(await news.create({ porEmail: false }))
    expect(await resultsOf(first.id)).toBe(0)
    for (const { id } of [first, second])
      await postJson(`${site.url}/api/peticoes`, { ...aSignature(), origem: newsOrigin(id) })
    expect([await resultsOf(first.id), await resultsOf(second.id)]).toEqual([0, 1])
  })

  test('a test e-mail goes to the administrator only, at most five a minute', async () => {
    await person()
    const { id } = await news.create()
    for (let n = 0; n < 5; n += 1) await admin.ask('POST', news.path(id, '/teste'), {})
    expect(await refused('POST', news.path(id, '/teste'), {})).toMatchObject({
      status: 429,
      message: texts.testTooMany,
    })
    const [account] = await site.rows<{ email: string }>(`select email from admin_users where username = 'admin'`)
    expect(new Set(recipients())).toEqual(new Set([account?.email]))
    expect(smtp.received).toHaveLength(5)
  })

  test('a test e-mail that the mail server does not accept is reported', async () => {
    const { id } = await news.create()
    smtp.faults.data = () => ({ code: 451, text: '4.3.0 broken' })
    expect(await refused('POST', news.path(id, '/teste'), {})).toMatchObject({ status: 503, message: texts.testFailed })
  })

  test('the preview has the e-mail and the text for WhatsApp', async () => {
    const { id } = await news.create()
    const preview = await admin.ask<{
      email: { assunto: string; html: string; texto: string }
      whatsapp: string
      link: string
    }>('GET', news.path(id, '/previa'))
    expect(preview.email.assunto).toBe('Entregamos as assinaturas')
    expect(preview.email.html).toContain('Estivemos em Brasília.')
    expect(preview.whatsapp).toContain('*Entregamos as assinaturas*')
    expect(preview.link).toContain(`?de=novidade-${id}`)
  })
})

describe('a sending that does not go on', () => {
  /** Recipients without a record, which are skipped when it is their turn. */
  const addRecipients = (on: Pick<TestSite, 'rows'>, id: number, count: number) =>
    on.rows(
      `insert into news_recipients ("newsId", "addressHmac", kind, "recordId")
      select $1, sha256(n::text::bytea), 'assinaturas', gen_random_uuid() from generate_series(1, $2::int) n`,
      [id, count],
    )
  const queueRecipients = (on: Pick<TestSite, 'rows'>, id: number, dueAt: string) =>
    on.rows(
      `insert into outbox (kind, payload, "dueAt")
      select 'novidade', jsonb_build_object('novidade', "newsId", 'destinatario', encode("addressHmac", 'base64')), $2::timestamptz
      from news_recipients where "newsId" = $1 and outcome is null`,
      [id, dueAt],
    )
  const rowsOf = (id: number, condition = 'true') =>
    site.rows(`select 1 from outbox where (payload->>'novidade')::bigint = $1 and ${condition}`, [id])

  describe('at ten e-mails a second', () => {
    let slow: TestSite
    let slowNews: ReturnType<typeof newsClient>
    beforeAll(async () => {
      const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '600' }
      slow = await openTestSite(env, { deliveries: { pollMs: 100 } })
    })
    afterAll(() => slow.close())
    beforeEach(async () => {
      await slow.empty()
      slowNews = newsClient(await enter(slow), slow.rows)
    })

    test.each(['paused', 'cancelled'])(
      '%s with many due deliveries does not hold up other news',
      async (status) => {
        const id = await slowNews.send()
        await slowNews.until(id, 'done')
        await addRecipients(slow, id, 5_200)
        await slow.rows(`update news_sends set status = $1, "endedAt" = now() - interval '2 hours'`, [status])
        await queueRecipients(slow, id, new Date().toISOString())
        const { email } = await addPerson(slow.rows)

        await slowNews.until(await slowNews.send({ titulo: 'Outra' }), 'done', 30_000)

        expect(recipients()).toEqual([email])
      },
      60_000,
    )

    test('other news end while the recipients of one are being queued', async () => {
      const other = await slowNews.send()
      await slowNews.until(other, 'done')
      const { id } = await slowNews.create({ titulo: 'A longa' })
      await slowNews.count(id)
      await addRecipients(slow, id, 600)
      await slow.rows(
        `update news_sends set status = 'sending', "sendsWhenPrepared" = true, "startedAt" = now() - "newsId" * interval '1 second'`,
      )

      await slowNews.until(other, 'done')

      expect(await slowNews.progress(id)).toMatchObject({ status: 'sending' })
    })
  })

  test('what is left of one that was paused and then cancelled is deleted, also later', async () => {
    const id = await news.send()
    await news.until(id, 'done')
    await addRecipients(site, id, 20)
    await queueRecipients(site, id, 'infinity')
    await site.rows(`update news_sends set status = 'cancelled', "endedAt" = now() - interval '1 day'`)
    site.deliveries.wake()
    await expect.poll(() => rowsOf(id)).toEqual([])
  })

  test.each(['by the request', 'by the queue'])('keeps e-mails for the next day when it is resumed %s', async (how) => {
    await person()
    await news.until(await news.send(), 'done')
    const second = await news.send({ titulo: 'A segunda do dia' })
    await expect.poll(async () => (await news.progress(second))?.adiados).toBe(1)
    await admin.ask('POST', news.path(second, '/envio/pausar'), {})
    await expect.poll(() => rowsOf(second, `"dueAt" = 'infinity'`)).toHaveLength(1)

    if (how === 'by the request') await admin.ask('POST', news.path(second, '/envio/retomar'), {})
    else await site.rows(`update news_sends set status = 'sending' where status = 'paused'`)

    await expect.poll(() => rowsOf(second, `"dueAt" < 'infinity'`)).toHaveLength(1)
    await delay(300)
    // A delivery that was due meanwhile has the reason for which it waits.
    expect(await rowsOf(second, `"dueAt" > now() and reason is null`)).toHaveLength(1)
  })

  test('has an unknown remaining time while too many wait for the next day to be counted', async () => {
    const id = await news.send()
    await news.until(id, 'done')
    await site.rows(
      `insert into outbox (kind, payload, "dueAt") select 'novidade', jsonb_build_object('novidade', $1::int), now() + interval '1 day'
      from generate_series(1, 100000)`,
      [id],
    )
    await site.rows(`update news_sends set status = 'sending', recipients = 300000`)
    expect(await news.progress(id)).toMatchObject({ adiados: 100_000, segundosRestantes: null })
    await site.rows('delete from outbox')
  })

  test('sends the e-mails that are counted for today when it is resumed', async () => {
    const { email } = await person()
    const id = await news.send()
    await news.until(id, 'done')
    await site.rows('update news_recipients set outcome = null')
    await queueRecipients(site, id, 'infinity')
    await site.rows(`update outbox set payload = payload || jsonb_build_object('contado', "newsSentOn") from enderecos`)
    await site.rows(`update news_sends set status = 'paused'`)
    await admin.ask('POST', news.path(id, '/envio/retomar'), {})
    await news.until(id, 'done')
    expect(recipients()).toEqual([email, email])
  })
})
