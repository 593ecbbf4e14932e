// Campaigns in the admin area: what is stored, what the pages show, and concurrent edits.
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { listAuditLog } from '#contract/admin/audit-log.ts'
import type { listVersions, StoredCampaign } from '#contract/admin/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type BackgroundThrottle, createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { createVersions } from '#server/features/campaigns/versions.ts'
import { createBreakdown } from '#server/features/numbers/breakdown.ts'
import { createCampaignCounts } from '#server/features/petitions/campaign-counts.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aCampaign, aSignature } from '#tests/helpers/factories.ts'
import { aHeavyPicture, aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({}, { periods: { breakdownPauseMs: 200 } })
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const campaigns = '/api/admin/campaigns'

interface Written {
  message: string
  campaign: StoredCampaign
}

const create = async (fields: object = {}) => (await admin.ask<Written>('POST', campaigns, aCampaign(fields))).campaign

/** Sends the fields of a stored campaign back, with changes. */
const edit = (campaign: StoredCampaign, fields: object = {}) =>
  admin.call('PUT', `${campaigns}/${campaign.id}`, { ...campaign, ...fields })

async function edited(campaign: StoredCampaign, fields: object): Promise<StoredCampaign> {
  const answer = await edit(campaign, fields)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Written).campaign
}

const sign = (slug: string, fields: object = {}) =>
  fetch(`${site.url}/api/campaigns/${slug}/signatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...aSignature(), ...fields }),
  })

const signWithForm = (slug: string, fields: object) =>
  fetch(`${site.url}/p/${slug}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...aSignature(), ...fields } as object as Record<string, string>),
  })

const signedVersions = async (slug: string) =>
  (
    await site.rows<{ v: number }>(
      'select "versaoManifesto" as v from peticoes where campanha = $1 order by "createdAt", id',
      [slug],
    )
  ).map(({ v }) => v)

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client(site.engine.direct)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** A transaction of another node. It ends with the test at the latest. */
async function openTransaction(): Promise<pg.Client> {
  const client = await openClient()
  await client.query('begin')
  return client
}

/**
 * Waits until `requests` wait for a lock. On the embedded engine none waits: it runs one transaction at a time. The
 * schedule of campaigns and autovacuum may wait for the same lock, and are not counted.
 */
async function untilWaiting(requests: number): Promise<void> {
  if (site.engine.kind === 'embedded') return
  const observer = await openClient()
  const waiting = async () => {
    const { rows } = await observer.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and backend_type = 'client backend' and query not like '%with due as%'`,
    )
    return rows[0].n
  }
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(requests)
}

const statusOf = async (path: string) => (await fetch(site.url + path)).status
const publicText = async (slug: string) => (await fetch(`${site.url}/p/${slug}`)).text()

test('a repeated creation is stored once; with other fields its slug is taken', async () => {
  const fields = aCampaign()
  const [one, again] = [await create(fields), await create(fields)]
  expect(again.id).toBe(one.id)
  expect(await site.rows('select action from admin_actions')).toEqual([{ action: 'Criou campanha' }])
  const other = await admin.call('POST', campaigns, { ...fields, titulo: 'Outro título' })
  expect([other.status, await other.json()]).toMatchObject([
    400,
    { message: 'Já existe uma campanha com esse endereço' },
  ])
})

describe('writing', () => {
  test('a new campaign is visible, counted and open for signatures at once, and is in the list', async () => {
    // The 404 of the page must not stay cached.
    const fields = aCampaign({ titulo: 'Praça viva' })
    expect(await statusOf(`/p/${fields.slug}`)).toBe(404)

    const { campaign, message } = await admin.ask<Written>('POST', campaigns, fields)

    expect(message).toBe('Campanha criada com sucesso!')
    expect(campaign).toMatchObject({ ...fields, path: `/p/${fields.slug}`, isActive: true, versaoManifesto: 1 })
    expect(await publicText(campaign.slug)).toContain('Praça viva')
    expect((await sign(campaign.slug)).status).toBe(201)
    const { campaigns: listed } = await admin.ask<{ campaigns: StoredCampaign[] }>('GET', campaigns)
    expect(listed[0]).toMatchObject({ slug: campaign.slug, isActive: true, alteradaPor: 'admin', versaoManifesto: 1 })
    expect(listed).toHaveLength((await site.rows('select 1 from campaigns')).length)
    expect(await site.rows('select action, target from admin_actions')).toEqual([
      { action: 'Criou campanha', target: campaign.slug },
    ])
  })

  test('a change shows at once on the page, in its share tags and in its count', async () => {
    const campaign = await create({ baseCount: 5 })
    await publicText(campaign.slug)

    await edited(campaign, {
      titulo: 'Outro título',
      baseCount: 1000,
      ogDescription: 'Venha assinar',
      themeColor: 'ink',
    })

    const html = await publicText(campaign.slug)
    expect(html).toContain('<h1>Outro título</h1>')
    expect(html).toContain('content="Venha assinar"')
    expect(html).toContain('data-tema="ink"')
    expect(html).toContain('1.000')
  })

  test('a campaign that is switched off is a 404 for pages, embeds, counts, images and signing, until it is switched on', async () => {
    const { id, slug } = await create()
    const allStatuses = async () => [
      await statusOf(`/p/${slug}`),
      await statusOf(`/embed/${slug}`),
      await statusOf(`/api/campaigns/${slug}`),
      await statusOf(`/api/campaigns/${slug}/count`),
      await statusOf(`/imagens/campanha/${slug}.png`),
      (await sign(slug)).status,
    ]
    expect(await allStatuses()).toEqual([200, 200, 200, 200, 200, 201])

    const off = await admin.ask<Written>('POST', `${campaigns}/${id}/desativar`)
    expect(off.campaign.isActive).toBe(false)
    expect(await allStatuses()).toEqual([404, 404, 404, 404, 404, 404])
    expect((await (await fetch(`${site.url}/sitemap.xml`)).text()).includes(slug)).toBe(false)

    await admin.ask('POST', `${campaigns}/${id}/ativar`)
    expect(await allStatuses()).toEqual([200, 200, 200, 200, 200, 201])
    expect((await site.rows('select action from admin_actions order by id')).map(({ action }) => action)).toEqual([
      'Criou campanha',
      'Desativou campanha',
      'Ativou campanha',
    ])
  })

  test('switching a campaign off keeps its position in the list', async () => {
    const [first, second] = [await create(), await create()]
    await admin.ask('POST', `${campaigns}/${first.id}/desativar`)

    const { campaigns: listed } = await admin.ask<{ campaigns: StoredCampaign[] }>('GET', campaigns)
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
  })

  test('a manifesto is sanitised before it is stored, and does not change when it is sent again', async () => {
    const dirty =
      '<h1>Um</h1><h2 style="color:red" onclick="x()">Dois</h2><p>Três <a href="javascript:x()">quatro</a><script>x()</script></p><img src="https://example.org/a.png">'
    const campaign = await create({ manifestoHtml: dirty })

    expect(campaign.manifestoHtml).toBe('Um<h2>Dois</h2><p>Três <a>quatro</a></p>')
    const again = await edited(campaign, {})
    expect(again).toEqual(campaign)
  })

  test('the number of signatures excludes the base count, also for a campaign that is switched off', async () => {
    const { id, slug } = await create({ baseCount: 40 })
    await sign(slug)
    await admin.ask('POST', `${campaigns}/${id}/desativar`)

    const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${id}`)
    expect(campaign).toMatchObject({ baseCount: 40, signatures: 1, isActive: false })
  })
})

describe('a wrong field of a new or edited campaign is refused with its message', () => {
  const media = `/media/${'a'.repeat(64)}.webp`
  const wrong: [field: string, value: unknown, message: string][] = [
    ['titulo', '  ', 'Informe o título da campanha'],
    ['titulo', 'x'.repeat(201), 'O título aceita no máximo 200 caracteres'],
    ['subtitulo', 'x'.repeat(301), 'O subtítulo aceita no máximo 300 caracteres'],
    [
      'slug',
      'Com Espaço',
      'O endereço aceita só letras minúsculas sem acento, números e hífen, e não começa nem termina com hífen',
    ],
    [
      'slug',
      '-a',
      'O endereço aceita só letras minúsculas sem acento, números e hífen, e não começa nem termina com hífen',
    ],
    ['slug', 'x'.repeat(101), 'O endereço aceita no máximo 100 caracteres'],
    ['slug', 'voluntarios', 'Esse endereço é usado pelo próprio site. Escolha outro'],
    ['slug', 'juros', 'Já existe uma campanha com esse endereço'],
    ['manifestoHtml', '', 'Escreva o manifesto da campanha'],
    ['manifestoHtml', '<p> &nbsp;<br></p><script>x</script>', 'Escreva o manifesto da campanha'],
    ['manifestoHtml', 'x'.repeat(40_001), 'O manifesto passa do tamanho aceito'],
    ['baseCount', -1, 'Informe um número inteiro, zero ou maior'],
    ['baseCount', 1.5, 'Informe um número inteiro, zero ou maior'],
    ['baseCount', 'muitas', 'Informe um número inteiro, zero ou maior'],
    ['baseCount', 2 ** 40, 'Informe um número inteiro, zero ou maior'],
    ['themeColor', 'roxo', 'Escolha uma das cores da lista'],
    ['heroImageUrl', 'https://example.org/a.png', 'Envie a imagem pelo site: endereços de fora não são aceitos'],
    ['ogImageUrl', '/media/../x', 'Envie a imagem pelo site: endereços de fora não são aceitos'],
    ['ogImageUrl', media, 'Essa imagem não está mais guardada. Envie de novo'],
    ['manifestoHtml', `<p>Oi</p><img src="${media}" alt="" />`, 'Essa imagem não está mais guardada. Envie de novo'],
    ['sheetTab', '', 'Informe a aba da planilha'],
    ['sheetTab', 'x'.repeat(51), 'A aba da planilha aceita no máximo 50 caracteres'],
    ['sheetTab', '../fora', 'A aba da planilha não aceita os sinais [ ] : * ? / \\ nem apóstrofo no começo ou no fim'],
    ['ogTitle', 'x'.repeat(201), 'O título para compartilhar aceita no máximo 200 caracteres'],
    ['ogDescription', 'x'.repeat(501), 'A descrição para compartilhar aceita no máximo 500 caracteres'],
  ]
  test.each(wrong.map(([field, value, message]) => [field, message, value] as const))(
    '%s: %s',
    async (field, message, value) => {
      const stored = await create()
      const answers = [
        await admin.call('POST', campaigns, aCampaign({ [field]: value })),
        await edit(stored, { [field]: value }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(400)
        expect(await answer.json()).toEqual({ success: false, message, code: 'invalid', errors: { [field]: message } })
      }
      expect(await admin.ask('GET', `${campaigns}/${stored.id}`)).toMatchObject({ campaign: stored })
    },
  )

  test('a stored image is accepted', async () => {
    const [{ imagemUrl = '' } = {}] = await site.rows<{ imagemUrl: string }>(
      'select "imagemUrl" from carousel_contents limit 1',
    )
    expect(await create({ heroImageUrl: imagemUrl })).toMatchObject({ heroImageUrl: imagemUrl })
  })

  test.each([
    { width: 1200, height: 900, expected: { largura: 1080, altura: 810 }, small: true },
    { width: 300, height: 200, expected: { largura: 300, altura: 200 }, small: false },
  ])('a hero image of $width px has its dimensions, and a small format if it is wide', async (picture) => {
    const file = imageForm(await aPicture('jpeg', picture))
    const { imagemUrl } = await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', file)
    const { slug } = await create({ heroImageUrl: imagemUrl })
    expect(await (await fetch(`${site.url}/api/campaigns/${slug}`)).json()).toMatchObject({
      campaign: { heroImageUrl: imagemUrl, heroImageSize: picture.expected },
    })

    const [image = ''] = /<img class="petition-image"[^>]*>/.exec(await publicText(slug)) ?? []
    expect(image).toContain(`width="${picture.expected.largura}" height="${picture.expected.altura}"`)
    const set = `srcSet="${imagemUrl.replace('.webp', '.640.webp')} 640w, ${imagemUrl} ${picture.expected.largura}w"`
    expect(image.includes(set)).toBe(picture.small)
  })

  test('the share image has a format and a size that messengers accept, and its dimensions are in the page', {
    tags: ['slow'],
  }, async () => {
    const noisy = await aHeavyPicture({ width: 1200, height: 800 })
    const { imagemUrl } = await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(noisy))

    const { slug, ogImageUrl } = await create({ ogImageUrl: imagemUrl })

    expect(ogImageUrl).toBe(imagemUrl.replace('.webp', '.og.jpg'))
    const html = await publicText(slug)
    expect(html).toContain(`og:image" content="https://mobiliza.example.org${ogImageUrl}"`)
    expect(html).toContain('og:image:width" content="1200"')
    expect(html).toContain('og:image:type" content="image/jpeg"')
    const answer = await fetch(site.url + ogImageUrl)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    expect(bytes.length).toBeLessThanOrEqual(250 * 1024)
  })

  test('an image that was deleted before the manifesto is saved is refused, and accepted after a new upload', async () => {
    const upload = async (file: Buffer) =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(file))).imagemUrl
    const campaign = await create()
    const [lost, stored] = [await aPicture(), await aPicture()]
    const urls = [await upload(lost), await upload(stored)]
    const manifestoHtml = urls.map((url) => `<img src="${url}" alt="" />`).join('')
    await site.rows(`update media set "reservedUntil" = now() - interval '1 minute' where sha256 = $1`, [
      urls[0]?.slice(7, 71),
    ])
    await upload(await aPicture())

    const answer = await edit(campaign, { manifestoHtml })

    const message = 'Essa imagem não está mais guardada. Envie de novo'
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: { manifestoHtml: message } }])
    await upload(lost)
    expect(await edited(campaign, { manifestoHtml })).toMatchObject({ manifestoHtml, versaoManifesto: 2 })
    for (const url of urls) expect(await statusOf(url)).toBe(200)
  })

  test('an image is deleted when no campaign and no manifesto version uses it', async () => {
    const upload = async () =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(await aPicture()))).imagemUrl
    const [hero, inText] = [await upload(), await upload()]
    await site.rows(`update media set "reservedUntil" = now() - interval '1 minute' where "reservedUntil" is not null`)
    const campaign = await create({ heroImageUrl: hero, manifestoHtml: `<p>Um</p><img src="${inText}" alt="" />` })

    const changed = await edited(campaign, { heroImageUrl: null, manifestoHtml: '<p>Dois</p>' })
    // Each upload deletes unused images.
    await upload()

    expect([await statusOf(hero), await statusOf(inText)]).toEqual([404, 200])
    expect(changed.versaoManifesto).toBe(2)
  })

  describe('during a save', () => {
    const upload = async () =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(await aPicture()))).imagemUrl
    const expire = () =>
      site.rows(`update media set "reservedUntil" = now() - interval '1 minute' where "reservedUntil" is not null`)

    /** Locks the image in a transaction of another node and runs the statement there. */
    async function otherNode(url: string, statement: string): Promise<pg.Client> {
      const other = await openTransaction()
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [url.slice(7, 71)])
      await other.query(statement, [url])
      return other
    }

    test('an upload does not delete the image that is being saved', async () => {
      const { id } = await create()
      const url = await upload()
      await expire()

      const other = await otherNode(url, `update campaigns set "heroImageUrl" = $1 where id = ${id}`)
      const uploading = upload()
      // The upload does not wait for a locked image. On the embedded engine it waits for every transaction.
      if (site.engine.kind === 'postgres') await uploading
      await other.query('commit')
      await uploading

      expect(await site.rows('select from media where sha256 = $1', [url.slice(7, 71)])).not.toEqual([])
    })

    test('an image that is deleted meanwhile is refused', async () => {
      const campaign = await create()
      const url = await upload()

      const other = await otherNode(url, `delete from media where '/media/' || sha256 || '.webp' = $1`)
      const editing = edit(campaign, { heroImageUrl: url })
      await untilWaiting(1)
      await other.query('commit')

      expect((await editing).status).toBe(400)
    })
  })

  test('the share image of a campaign that was never saved is deleted with its source image', async () => {
    const upload = async () =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(await aPicture()))).imagemUrl
    const { slug } = await create()
    const url = await upload()
    const refused = await admin.call('POST', campaigns, aCampaign({ slug, ogImageUrl: url }))
    expect(refused.status).toBe(400)
    const formats = () => site.rows('select format from media where sha256 = $1', [url.slice(7, 71)])
    expect(await formats()).toContainEqual({ format: 'og.jpg' })

    await site.rows(`update media set "reservedUntil" = now() - interval '1 minute' where "reservedUntil" is not null`)
    await upload()

    expect(await formats()).toEqual([])
  })

  test.each(['99999999', '0', 'x', '1e3'])('campaign %s is a 404', async (id) => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/versoes'],
      ['POST', '/ativar'],
    ] as const)
      expect((await admin.call(method, `${campaigns}/${id}${path}`)).status).toBe(404)
    expect((await admin.call('PUT', `${campaigns}/${id}`, { ...aCampaign(), revisao: 1 })).status).toBe(404)
    expect(await (await admin.call('GET', `${campaigns}/${id}`)).json()).toMatchObject({
      message: 'Campanha não encontrada',
    })
  })
})

describe('the audit log of an edit', () => {
  const auditLog = async () =>
    (await admin.ask<ReplyOf<typeof listAuditLog>>('GET', '/api/admin/registro')).deeds.map(({ deed, changes }) => ({
      deed,
      changes,
    }))

  test('has the old and the new value of each field; long texts are only named', async () => {
    const campaign = await create({ titulo: 'Praça viva', baseCount: 0, ogDescription: 'a'.repeat(400) })
    const next = await edited(campaign, {
      titulo: 'Praça viva já',
      baseCount: 18245,
      themeColor: 'green',
      subtitulo: 'Assine',
      ogDescription: 'b'.repeat(400),
      manifestoHtml: '<p>Um segredo de outro texto.</p>',
    })
    const last = await edited(next, { subtitulo: '', baseCount: 18000 })
    // An edit that changes nothing. The same edit sent again would have no entry.
    await edited(last, { subtitulo: '', baseCount: 18000 })

    expect(await auditLog()).toEqual([
      { deed: 'Alterou campanha', changes: [] },
      {
        deed: 'Alterou campanha',
        changes: [
          { field: 'Subtítulo', before: 'Assine', after: '' },
          { field: 'Contagem inicial', before: '18.245', after: '18.000' },
        ],
      },
      {
        deed: 'Alterou campanha',
        changes: [
          { field: 'Título', before: 'Praça viva', after: 'Praça viva já' },
          { field: 'Subtítulo', before: '', after: 'Assine' },
          { field: 'Manifesto', before: 'versão 1', after: 'versão 2' },
          { field: 'Cor', before: 'Vermelho', after: 'Verde' },
          { field: 'Descrição do link' },
          { field: 'Contagem inicial', before: '0', after: '18.245' },
        ],
      },
      { deed: 'Criou campanha', changes: [] },
    ])
    expect(JSON.stringify(await site.rows('select * from admin_actions'))).not.toContain('segredo')
  })

  test('has the base count of a new campaign', async () => {
    await create({ baseCount: 500 })
    expect(await auditLog()).toEqual([
      { deed: 'Criou campanha', changes: [{ field: 'Contagem inicial', before: '0', after: '500' }] },
    ])
  })

  test('says whether there is an image, without its address', async () => {
    const { imagemUrl } = await admin.ask<{ imagemUrl: string }>(
      'POST',
      '/api/admin/imagens',
      imageForm(await aPicture()),
    )
    const campaign = await create()
    await edited(await edited(campaign, { heroImageUrl: imagemUrl }), { heroImageUrl: null })
    const changes = (await auditLog()).filter(({ deed }) => deed === 'Alterou campanha').flatMap((deed) => deed.changes)
    expect(changes).toEqual([
      { field: 'Imagem da página', before: 'uma imagem', after: '' },
      { field: 'Imagem da página', before: '', after: 'uma imagem' },
    ])
  })
})

test('a page shows how many signatures are from before the site, if any', async () => {
  const [none, one, many] = [await create(), await create({ baseCount: 1 }), await create({ baseCount: 12_345 })]
  const notes = async ({ slug }: StoredCampaign) => (await publicText(slug)).match(/Inclui [^<]*/g)
  expect(await notes(none)).toBeNull()
  expect(await notes(one)).toEqual(['Inclui 1 assinatura recolhida antes deste site.'])
  expect(await notes(many)).toEqual(['Inclui 12.345 assinaturas recolhidas antes deste site.'])
  expect(await (await fetch(`${site.url}/peticao`)).text()).toContain(
    'Inclui 18.245 assinaturas recolhidas antes deste site.',
  )
})

describe('the slug', () => {
  const check = (query: string) => admin.call('GET', `${campaigns}/endereco?${query}`)

  test('is checked during typing', async () => {
    const { id, slug } = await create()
    expect(await (await check(`slug=${slug}-2`)).json()).toMatchObject({
      available: true,
      message: 'Endereço disponível',
    })
    expect(await (await check(`slug=${slug}`)).json()).toMatchObject({ available: false })
    expect(await (await check(`slug=${slug}&id=${id}`)).json()).toMatchObject({ available: true })
    for (const query of ['', 'slug=', 'slug=A', 'slug=voluntarios', `slug=a&id=x`, 'slug=a&slug=b'])
      expect((await check(query)).status).toBe(400)
  })

  test('can change until the first signature', async () => {
    const campaign = await create()
    const moved = await edited(campaign, { slug: `${campaign.slug}-novo` })
    const old = await fetch(`${site.url}/p/${campaign.slug}`, { redirect: 'manual' })
    expect([old.status, await statusOf(`/p/${moved.slug}`)]).toEqual([301, 200])

    await sign(moved.slug)

    const { slugFixo } = (await admin.ask<Written>('GET', `${campaigns}/${moved.id}`)).campaign
    const answer = await edit(moved, { slug: campaign.slug })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errors: { slug: slugFixo } })
    expect(slugFixo).toBe('O endereço não muda mais: a campanha já tem assinaturas')
  })

  test.each(['juros', 'cassacao-fulano', 'brasilquerpaz', 'fim-escala-6x1'])(
    'of %s cannot change: other pages link to it',
    async (slug) => {
      const [{ id = 0 } = {}] = await site.rows<{ id: number }>('select id::int from campaigns where slug = $1', [slug])
      const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${id}`)
      expect((await edit(campaign, { slug: 'outro' })).status).toBe(400)
      expect(campaign.slugFixo).toBe('O endereço desta campanha não muda: outras páginas do site levam a ele')
    },
  )

  test('of eight concurrent campaigns with the same slug one is created and seven are refused', async () => {
    const fields = aCampaign()
    // All requests find the slug free before one of them can write.
    const other = await openTransaction()
    await other.query('lock table campaigns in share mode')
    const requests = Array.from({ length: 8 }, (_, n) =>
      admin.call('POST', campaigns, { ...fields, titulo: `Título ${n}` }),
    )
    await untilWaiting(8)
    await other.query('commit')
    const answers = await Promise.all(requests)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
  })
})

describe('two concurrent edits of a campaign', () => {
  test('the second is refused with the stored campaign and overwrites nothing', async () => {
    const read = await create()
    const first = await edited(read, { titulo: 'O título da primeira' })

    const answer = await edit(read, { subtitulo: 'O subtítulo da segunda' })

    expect(answer.status).toBe(409)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'admin salvou esta campanha enquanto você editava. Nada do que você escreveu foi perdido.',
      code: 'conflict',
      current: first,
    })
    const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${read.id}`)
    expect(campaign).toEqual(first)
    const merged = await edited(first, { subtitulo: 'O subtítulo da segunda' })
    expect(merged).toMatchObject({ titulo: 'O título da primeira', subtitulo: 'O subtítulo da segunda' })
  })

  test('of ten at the same time one is saved and nine are refused', async () => {
    const read = await create()
    const other = await openTransaction()
    await other.query('select from campaigns where id = $1 for update', [read.id])
    const requests = Array.from({ length: 10 }, (_, index) => edit(read, { titulo: `Título ${index}` }))
    await untilWaiting(10)
    await other.query('commit')
    const answers = await Promise.all(requests)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('a repeated edit is accepted without a conflict', async () => {
    const read = await create()
    const first = await edited(read, { manifestoHtml: '<p>Texto novo</p>' })
    const second = await edited(read, { manifestoHtml: '<p>Texto novo</p>' })
    expect(second).toEqual(first)
    expect(second.versaoManifesto).toBe(2)
    expect(await site.rows(`select 1 from admin_actions where action = 'Alterou campanha'`)).toHaveLength(1)
  })

  test('switching the campaign off causes no conflict', async () => {
    const read = await create()
    await admin.ask('POST', `${campaigns}/${read.id}/desativar`)
    expect(await edited(read, { titulo: 'Outro' })).toMatchObject({ titulo: 'Outro', isActive: false })
  })

  test('the conflict names the last editor, not the administrator that switched the campaign off', async () => {
    const other = { username: 'desligadora', password: 'uma-senha-bem-longa' }
    await admin.ask('POST', '/api/admin/equipe', { ...other, email: 'desligadora@example.org' })
    const read = await create()
    const { updatedAt } = await edited(read, { titulo: 'O título da primeira' })

    await (await enter(site, other)).ask('POST', `${campaigns}/${read.id}/desativar`)

    const answer = await edit(read, { titulo: 'O título da segunda' })
    expect(await answer.json()).toMatchObject({
      message: 'admin salvou esta campanha enquanto você editava. Nada do que você escreveu foi perdido.',
      current: { updatedAt, alteradaPor: 'admin', isActive: false },
    })
  })
})

describe('versions of the manifesto', () => {
  const listedVersions = ({ id }: StoredCampaign) =>
    admin.ask<ReplyOf<typeof listVersions>>('GET', `${campaigns}/${id}/versoes`)
  /** Waits for the next breakdown. */
  const expectVersions = (campaign: StoredCampaign, expected: [versao: number, autor: string, signatures: number][]) =>
    expect
      .poll(
        async () =>
          (await listedVersions(campaign)).versions.map(({ versao, autor, signatures }) => [versao, autor, signatures]),
        { timeout: 20_000, interval: 100 },
      )
      .toEqual(expected)

  test('the sample campaign has version 1', async () => {
    const [{ id = 0 } = {}] = await site.rows<{ id: number }>(`select id::int from campaigns where slug = 'juros'`)
    const { versions, counted } = await listedVersions({ id } as StoredCampaign)
    expect(versions).toMatchObject([{ versao: 1, autor: null, signatures: 0 }])
    expect(counted).toBeNull()
    const { html } = await admin.ask<{ html: string }>('GET', `${campaigns}/${id}/versoes/1`)
    expect(html).toContain('Todo mundo sente o juro alto')
  })

  test('only a changed manifesto creates a version', async () => {
    const campaign = await create()
    const retitled = await edited(campaign, { titulo: 'Outro título' })
    expect(retitled.versaoManifesto).toBe(1)

    const answer = await edit(retitled, { manifestoHtml: '<p>Outro texto</p>' })
    expect(await answer.json()).toMatchObject({ message: 'Campanha salva. O manifesto agora está na versão 2.' })
    const { html } = await admin.ask<{ html: string }>('GET', `${campaigns}/${campaign.id}/versoes/1`)
    expect(html).toBe(campaign.manifestoHtml)
    expect((await admin.call('GET', `${campaigns}/${campaign.id}/versoes/3`)).status).toBe(404)
  })

  test('a signature stores the version that its page showed, sent as JSON or as a form', async () => {
    const campaign = await create()
    const { slug } = campaign
    const opened = await publicText(slug)
    const shownVersion = /name="versaoManifesto" value="(\d+)"/.exec(opened)?.[1] ?? ''
    expect(shownVersion).toBe('1')
    expect(opened).toContain('"versaoManifesto":1')

    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })

    expect((await sign(slug, { versaoManifesto: shownVersion })).status).toBe(201)
    expect((await sign(slug, { versaoManifesto: 1 })).status).toBe(201)
    expect((await signWithForm(slug, { versaoManifesto: shownVersion })).status).toBe(303)
    expect((await sign(slug, { versaoManifesto: 2 })).status).toBe(201)
    expect(await signedVersions(slug)).toEqual([1, 1, 1, 2])
    expect(await publicText(slug)).toContain('name="versaoManifesto" value="2"')
    await expectVersions(campaign, [
      [2, 'admin', 1],
      [1, 'admin', 3],
    ])
  })

  test('signatures per version have the time of the count, and add up with later signatures', async () => {
    const campaign = await create()
    await sign(campaign.slug)
    expect(await listedVersions(campaign)).toMatchObject({ versions: [{ signatures: 1 }], counted: null })
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    await sign(campaign.slug)
    await expectVersions(campaign, [
      [2, 'admin', 1],
      [1, 'admin', 1],
    ])

    await sign(campaign.slug)

    const { versions, counted } = await listedVersions(campaign)
    const total = versions.reduce((sum, { signatures }) => sum + (signatures ?? 0), 0)
    expect(total + (counted?.uncounted ?? 0)).toBe(3)
    expect(Date.parse(counted?.at ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('before the first count there are no numbers, and under load the count waits', async () => {
    const campaign = await create()
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    await sign(campaign.slug)
    const log = createLog('silent')
    const database = openDatabase(site.engine, log, site.addressKey)
    try {
      const loadEnds = Promise.withResolvers<void>()
      const run: BackgroundThrottle['run'] = (work) => loadEnds.promise.then(work)
      const throttle = { ...createBackgroundThrottle(), run }
      const breakdown = createBreakdown({ database, log, throttle, minPauseMs: 5_000 })
      const versions = createVersions({ database, counts: createCampaignCounts(database, log, 1_000), breakdown })

      expect(await versions.of(campaign.id)).toMatchObject({
        ...{ counted: null, versions: [{ signatures: null }, { signatures: null }] },
      })

      loadEnds.resolve()
      await expect
        .poll(async () => (await versions.of(campaign.id)).versions.map(({ signatures }) => signatures), {
          timeout: 10_000,
        })
        .toEqual([1, 0])
    } finally {
      await database.close()
    }
  })

  test('a missing or invalid version is stored as the current one, without an error', async () => {
    const campaign = await create()
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    for (const versaoManifesto of [undefined, null, '', 0, -1, 3, 1.5, 1e300, 'duas', [], {}, '9'.repeat(400)])
      expect((await sign(campaign.slug, { versaoManifesto })).status).toBe(201)
    expect(new Set(await signedVersions(campaign.slug))).toEqual(new Set([2]))
  })

  test('a version that another node already shows is stored', async () => {
    const campaign = await create()
    // This node's copy of the campaign is up to a second old when the other node shows the new text.
    await sign(campaign.slug)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await site.rows(`update campaigns set "manifestoHtml" = '<p>Outro</p>', "versaoManifesto" = 2 where id = $1`, [
      campaign.id,
    ])

    await sign(campaign.slug, { versaoManifesto: 2 })

    expect(await signedVersions(campaign.slug)).toEqual([1, 2])
  })

  test('a manifesto written directly into the database is kept before it is replaced', async () => {
    const campaign = await create()
    await site.rows(`delete from manifestos where "campaignId" = $1`, [campaign.id])
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    await expectVersions(campaign, [
      [2, 'admin', 0],
      [1, 'admin', 0],
    ])
  })
})

test('the share image can be previewed before the campaign is saved', async () => {
  const card = (query: string) => admin.call('GET', `${campaigns}/cartao?${query}`)
  const { image } = (await (await card('titulo=Praça viva&themeColor=green&count=1200')).json()) as { image: string }
  expect(image).toMatch(/^data:image\/png;base64,iVBOR/)
  for (const query of [
    'titulo=&themeColor=red&count=0',
    'titulo=a&themeColor=azul&count=0',
    'titulo=a&themeColor=red&count=-1',
  ])
    expect((await card(query)).status).toBe(400)
})
