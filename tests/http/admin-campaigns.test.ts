// Campaigns as administrators write them: what is kept, what pages show of it, who is told when two write at once.
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { listVersions, StoredCampaign } from '#contract/admin/campaigns.ts'
import type { listDeeds } from '#contract/admin/deeds.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { createLog } from '#server/core/log.ts'
import { createRush, type Rush } from '#server/core/rush.ts'
import { openDatabase } from '#server/db/database.ts'
import { createVersions } from '#server/features/campaigns/versions.ts'
import { createCensus } from '#server/features/numbers/census.ts'
import { createTallies } from '#server/features/petitions/tallies.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aCampaign, aSignature } from '#tests/helpers/factories.ts'
import { aHeavyPicture, aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({}, { periods: { censusPauseMs: 200 } })
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

/** The fields of a stored campaign as an edit sends them back. */
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

const signPlainly = (slug: string, fields: object) =>
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

/** Of another node. It ends with the test at the latest. */
async function openTransaction(): Promise<pg.Client> {
  const client = await openClient()
  await client.query('begin')
  return client
}

/** Until so many requests wait for a lock. The embedded engine runs one transaction at a time: there, requests do not meet. */
async function untilWaiting(requests: number): Promise<void> {
  if (site.engine.kind === 'embedded') return
  const observer = await openClient()
  const waiting = async () => {
    const { rows } = await observer.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n
  }
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(requests)
}

const statusOf = async (path: string) => (await fetch(site.url + path)).status
const publicText = async (slug: string) => (await fetch(`${site.url}/p/${slug}`)).text()

test('one that is sent again because its answer was lost is created once; with other words its address is taken', async () => {
  const fields = aCampaign()
  const [one, again] = [await create(fields), await create(fields)]
  expect(again.id).toBe(one.id)
  const other = await admin.call('POST', campaigns, { ...fields, titulo: 'Outro título' })
  expect([other.status, await other.json()]).toMatchObject([
    400,
    { message: 'Já existe uma campanha com esse endereço' },
  ])
})

describe('writing', () => {
  test('a new campaign can be seen, counted and signed at once, and stands in the list', async () => {
    // A page that is already known not to exist must not stay so.
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
    expect(await site.rows('select acao, alvo from admin_actions')).toEqual([
      { acao: 'Criou campanha', alvo: campaign.slug },
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

  test('a campaign that is switched off is gone for pages, frames, counts, pictures and signing, and comes back', async () => {
    const { id, slug } = await create()
    const everywhere = async () => [
      await statusOf(`/p/${slug}`),
      await statusOf(`/embed/${slug}`),
      await statusOf(`/api/campaigns/${slug}`),
      await statusOf(`/api/campaigns/${slug}/count`),
      await statusOf(`/imagens/campanha/${slug}.png`),
      (await sign(slug)).status,
    ]
    expect(await everywhere()).toEqual([200, 200, 200, 200, 200, 201])

    const off = await admin.ask<Written>('POST', `${campaigns}/${id}/desativar`)
    expect(off.campaign.isActive).toBe(false)
    expect(await everywhere()).toEqual([404, 404, 404, 404, 404, 404])
    expect((await (await fetch(`${site.url}/sitemap.xml`)).text()).includes(slug)).toBe(false)

    await admin.ask('POST', `${campaigns}/${id}/ativar`)
    expect(await everywhere()).toEqual([200, 200, 200, 200, 200, 201])
    expect((await site.rows('select acao from admin_actions order by id')).map(({ acao }) => acao)).toEqual([
      'Criou campanha',
      'Desativou campanha',
      'Ativou campanha',
    ])
  })

  test('switching one off and on leaves it in its place in the list', async () => {
    const [first, second] = [await create(), await create()]
    await admin.ask('POST', `${campaigns}/${first.id}/desativar`)

    const { campaigns: listed } = await admin.ask<{ campaigns: StoredCampaign[] }>('GET', campaigns)
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
  })

  test('a manifesto is cleaned before it is stored, and stays as it is when it is sent again', async () => {
    const dirty =
      '<h1>Um</h1><h2 style="color:red" onclick="x()">Dois</h2><p>Três <a href="javascript:x()">quatro</a><script>x()</script></p><img src="https://example.org/a.png">'
    const campaign = await create({ manifestoHtml: dirty })

    expect(campaign.manifestoHtml).toBe('Um<h2>Dois</h2><p>Três <a>quatro</a></p>')
    const again = await edited(campaign, {})
    expect(again).toEqual(campaign)
  })

  test('signatures so far are told with and without the base count, also of what is switched off', async () => {
    const { id, slug } = await create({ baseCount: 40 })
    await sign(slug)
    await admin.ask('POST', `${campaigns}/${id}/desativar`)

    const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${id}`)
    expect(campaign).toMatchObject({ baseCount: 40, signatures: 1, isActive: false })
  })
})

describe('what is wrong is refused, new or edited, with its sentence', () => {
  const media = `/media/${'a'.repeat(64)}.webp`
  const wrong: [field: string, value: unknown, sentence: string][] = [
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
  test.each(wrong.map(([field, value, sentence]) => [field, sentence, value] as const))(
    '%s: %s',
    async (field, sentence, value) => {
      const stored = await create()
      const answers = [
        await admin.call('POST', campaigns, aCampaign({ [field]: value })),
        await edit(stored, { [field]: value }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(400)
        expect(await answer.json()).toEqual({ success: false, message: sentence, errors: { [field]: sentence } })
      }
      expect(await admin.ask('GET', `${campaigns}/${stored.id}`)).toMatchObject({ campaign: stored })
    },
  )

  test('an image of ours that is stored is admitted', async () => {
    const [{ imagemUrl = '' } = {}] = await site.rows<{ imagemUrl: string }>(
      'select "imagemUrl" from carousel_contents limit 1',
    )
    expect(await create({ heroImageUrl: imagemUrl })).toMatchObject({ heroImageUrl: imagemUrl })
  })

  test.each([
    { width: 1200, height: 900, shown: { largura: 1080, altura: 810 }, small: true },
    { width: 300, height: 200, shown: { largura: 300, altura: 200 }, small: false },
  ])('a hero image of $width px has its dimensions, and a small format if it is wide', async (picture) => {
    const file = imageForm(await aPicture('jpeg', picture))
    const { imagemUrl } = await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', file)
    const { slug } = await create({ heroImageUrl: imagemUrl })
    expect(await (await fetch(`${site.url}/api/campaigns/${slug}`)).json()).toMatchObject({
      campaign: { heroImageUrl: imagemUrl, heroImageSize: picture.shown },
    })

    const [image = ''] = /<img class="petition-image"[^>]*>/.exec(await publicText(slug)) ?? []
    expect(image).toContain(`width="${picture.shown.largura}" height="${picture.shown.altura}"`)
    const set = `srcSet="${imagemUrl.replace('.webp', '.640.webp')} 640w, ${imagemUrl} ${picture.shown.largura}w"`
    expect(image.includes(set)).toBe(picture.small)
  })

  test('the picture of its links is one that messengers take, with its size beside it', {
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

  test('an image that was put into a text and is gone by the time it is saved is told, and sent again is admitted', async () => {
    const upload = async (file: Buffer) =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(file))).imagemUrl
    const campaign = await create()
    const [lost, kept] = [await aPicture(), await aPicture()]
    const urls = [await upload(lost), await upload(kept)]
    const manifestoHtml = urls.map((url) => `<img src="${url}" alt="" />`).join('')
    await site.rows(`update media set "reservadaAte" = now() - interval '1 minute' where sha256 = $1`, [
      urls[0]?.slice(7, 71),
    ])
    await upload(await aPicture())

    const answer = await edit(campaign, { manifestoHtml })

    const sentence = 'Essa imagem não está mais guardada. Envie de novo'
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: { manifestoHtml: sentence } }])
    await upload(lost)
    expect(await edited(campaign, { manifestoHtml })).toMatchObject({ manifestoHtml, versaoManifesto: 2 })
    for (const url of urls) expect(await statusOf(url)).toBe(200)
  })

  test('an image goes when no campaign and no version names it any more', async () => {
    const upload = async () =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(await aPicture()))).imagemUrl
    const [hero, inText] = [await upload(), await upload()]
    await site.rows(`update media set "reservadaAte" = now() - interval '1 minute' where "reservadaAte" is not null`)
    const campaign = await create({ heroImageUrl: hero, manifestoHtml: `<p>Um</p><img src="${inText}" alt="" />` })

    const changed = await edited(campaign, { heroImageUrl: null, manifestoHtml: '<p>Dois</p>' })
    // Each upload clears away what nothing uses.
    await upload()

    expect([await statusOf(hero), await statusOf(inText)]).toEqual([404, 200])
    expect(changed.versaoManifesto).toBe(2)
  })

  describe('while somebody saves', () => {
    const upload = async () =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(await aPicture()))).imagemUrl
    const expire = () =>
      site.rows(`update media set "reservadaAte" = now() - interval '1 minute' where "reservadaAte" is not null`)

    /** What another node does in a transaction that holds the image. */
    async function otherNode(url: string, statement: string): Promise<pg.Client> {
      const other = await openTransaction()
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [url.slice(7, 71)])
      await other.query(statement, [url])
      return other
    }

    test('an upload leaves the image alone that they are about to name', async () => {
      const { id } = await create()
      const url = await upload()
      await expire()

      const other = await otherNode(url, `update campaigns set "heroImageUrl" = $1 where id = ${id}`)
      const uploading = upload()
      // It does not wait for the image that somebody holds. On the embedded engine it waits for every transaction.
      if (site.engine.kind === 'postgres') await uploading
      await other.query('commit')
      await uploading

      expect(await site.rows('select from media where sha256 = $1', [url.slice(7, 71)])).not.toEqual([])
    })

    test('an image that goes at that moment is told', async () => {
      const campaign = await create()
      const url = await upload()

      const other = await otherNode(url, `delete from media where '/media/' || sha256 || '.webp' = $1`)
      const editing = edit(campaign, { heroImageUrl: url })
      await untilWaiting(1)
      await other.query('commit')

      expect((await editing).status).toBe(400)
    })
  })

  test('the picture for links of a campaign that was never saved goes with the image that it was made of', async () => {
    const upload = async () =>
      (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', imageForm(await aPicture()))).imagemUrl
    const { slug } = await create()
    const url = await upload()
    const refused = await admin.call('POST', campaigns, aCampaign({ slug, ogImageUrl: url }))
    expect(refused.status).toBe(400)
    const formats = () => site.rows('select formato from media where sha256 = $1', [url.slice(7, 71)])
    expect(await formats()).toContainEqual({ formato: 'og.jpg' })

    await site.rows(`update media set "reservadaAte" = now() - interval '1 minute' where "reservadaAte" is not null`)
    await upload()

    expect(await formats()).toEqual([])
  })

  test.each(['99999999', '0', 'x', '1e3'])('campaign %s does not exist', async (id) => {
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

describe('what an edit changed', () => {
  const onRecord = async () =>
    (await admin.ask<ReplyOf<typeof listDeeds>>('GET', '/api/admin/registro')).deeds.map(({ deed, changes }) => ({
      deed,
      changes,
    }))

  test('is on record by field, with the old and the new value; long texts are only named', async () => {
    const campaign = await create({ titulo: 'Praça viva', baseCount: 0, ogDescription: 'a'.repeat(400) })
    const next = await edited(campaign, {
      titulo: 'Praça viva já',
      baseCount: 18245,
      themeColor: 'green',
      subtitulo: 'Assine',
      ogDescription: 'b'.repeat(400),
      manifestoHtml: '<p>Um segredo de outro texto.</p>',
    })
    await edited(next, { subtitulo: '', baseCount: 18000 })
    // Sent again, nothing changes.
    await edited(next, { subtitulo: '', baseCount: 18000 })

    expect(await onRecord()).toEqual([
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

  test('a base count that a campaign begins with is on record too', async () => {
    await create({ baseCount: 500 })
    expect(await onRecord()).toEqual([
      { deed: 'Criou campanha', changes: [{ field: 'Contagem inicial', before: '0', after: '500' }] },
    ])
  })

  test('an image is told by being there, not by its address', async () => {
    const { imagemUrl } = await admin.ask<{ imagemUrl: string }>(
      'POST',
      '/api/admin/imagens',
      imageForm(await aPicture()),
    )
    const campaign = await create()
    await edited(await edited(campaign, { heroImageUrl: imagemUrl }), { heroImageUrl: null })
    const changes = (await onRecord()).filter(({ deed }) => deed === 'Alterou campanha').flatMap((deed) => deed.changes)
    expect(changes).toEqual([
      { field: 'Imagem da página', before: 'uma imagem', after: '' },
      { field: 'Imagem da página', before: '', after: 'uma imagem' },
    ])
  })
})

test('a page says how many signatures come from before the site, if any do', async () => {
  const [none, one, many] = [await create(), await create({ baseCount: 1 }), await create({ baseCount: 12_345 })]
  const sentences = async ({ slug }: StoredCampaign) => (await publicText(slug)).match(/Inclui [^<]*/g)
  expect(await sentences(none)).toBeNull()
  expect(await sentences(one)).toEqual(['Inclui 1 assinatura recolhida antes deste site.'])
  expect(await sentences(many)).toEqual(['Inclui 12.345 assinaturas recolhidas antes deste site.'])
  expect(await (await fetch(`${site.url}/peticao`)).text()).toContain(
    'Inclui 18.245 assinaturas recolhidas antes deste site.',
  )
})

describe('the slug', () => {
  const check = (query: string) => admin.call('GET', `${campaigns}/endereco?${query}`)

  test('is checked while it is typed', async () => {
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

  test('can change until somebody has signed', async () => {
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
    'of %s stays: other pages lead to it',
    async (slug) => {
      const [{ id = 0 } = {}] = await site.rows<{ id: number }>('select id::int from campaigns where slug = $1', [slug])
      const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${id}`)
      expect((await edit(campaign, { slug: 'outro' })).status).toBe(400)
      expect(campaign.slugFixo).toBe('O endereço desta campanha não muda: outras páginas do site levam a ele')
    },
  )

  test('two campaigns that want the same one at the same moment are one campaign and one refusal', async () => {
    const fields = aCampaign()
    // All have found it free before one of them may write.
    const other = await openTransaction()
    await other.query('lock table campaigns in share mode')
    const asked = Array.from({ length: 8 }, (_, n) =>
      admin.call('POST', campaigns, { ...fields, titulo: `Título ${n}` }),
    )
    await untilWaiting(8)
    await other.query('commit')
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
  })
})

describe('two who edit the same campaign', () => {
  test('the second is told, sees what is stored, and overwrites nothing', async () => {
    const read = await create()
    const first = await edited(read, { titulo: 'O título da primeira' })

    const answer = await edit(read, { subtitulo: 'O subtítulo da segunda' })

    expect(answer.status).toBe(409)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'admin salvou esta campanha enquanto você editava. Nada do que você escreveu foi perdido.',
      current: first,
    })
    const { campaign } = await admin.ask<Written>('GET', `${campaigns}/${read.id}`)
    expect(campaign).toEqual(first)
    const merged = await edited(first, { subtitulo: 'O subtítulo da segunda' })
    expect(merged).toMatchObject({ titulo: 'O título da primeira', subtitulo: 'O subtítulo da segunda' })
  })

  test('of ten at the same moment one writes and nine are told', async () => {
    const read = await create()
    const other = await openTransaction()
    await other.query('select from campaigns where id = $1 for update', [read.id])
    const asked = Array.from({ length: 10 }, (_, index) => edit(read, { titulo: `Título ${index}` }))
    await untilWaiting(10)
    await other.query('commit')
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('a second try of an edit whose answer was lost is no quarrel', async () => {
    const read = await create()
    const first = await edited(read, { manifestoHtml: '<p>Texto novo</p>' })
    const second = await edited(read, { manifestoHtml: '<p>Texto novo</p>' })
    expect(second).toEqual(first)
    expect(second.versaoManifesto).toBe(2)
  })

  test('switching it off meanwhile does not cost the other the edit', async () => {
    const read = await create()
    await admin.ask('POST', `${campaigns}/${read.id}/desativar`)
    expect(await edited(read, { titulo: 'Outro' })).toMatchObject({ titulo: 'Outro', isActive: false })
  })

  test('the one who wrote is named, not the one who switched it off since', async () => {
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
  const listed = ({ id }: StoredCampaign) =>
    admin.ask<ReplyOf<typeof listVersions>>('GET', `${campaigns}/${id}/versoes`)
  /** By the next counting. */
  const expectVersions = (campaign: StoredCampaign, expected: [versao: number, autor: string, signatures: number][]) =>
    expect
      .poll(
        async () =>
          (await listed(campaign)).versions.map(({ versao, autor, signatures }) => [versao, autor, signatures]),
        { timeout: 20_000, interval: 100 },
      )
      .toEqual(expected)

  test('what comes with the site is version 1', async () => {
    const [{ id = 0 } = {}] = await site.rows<{ id: number }>(`select id::int from campaigns where slug = 'juros'`)
    const { versions, counted } = await listed({ id } as StoredCampaign)
    expect(versions).toMatchObject([{ versao: 1, autor: null, signatures: 0 }])
    expect(counted).toBeNull()
    const { html } = await admin.ask<{ html: string }>('GET', `${campaigns}/${id}/versoes/1`)
    expect(html).toContain('Todo mundo sente o juro alto')
  })

  test('only a changed manifesto makes a new one', async () => {
    const campaign = await create()
    const retitled = await edited(campaign, { titulo: 'Outro título' })
    expect(retitled.versaoManifesto).toBe(1)

    const answer = await edit(retitled, { manifestoHtml: '<p>Outro texto</p>' })
    expect(await answer.json()).toMatchObject({ message: 'Campanha salva. O manifesto agora está na versão 2.' })
    const { html } = await admin.ask<{ html: string }>('GET', `${campaigns}/${campaign.id}/versoes/1`)
    expect(html).toBe(campaign.manifestoHtml)
    expect((await admin.call('GET', `${campaigns}/${campaign.id}/versoes/3`)).status).toBe(404)
  })

  test('a signature keeps the version that its page showed, sent by script or as a plain form', async () => {
    const campaign = await create()
    const { slug } = campaign
    const opened = await publicText(slug)
    const shown = /name="versaoManifesto" value="(\d+)"/.exec(opened)?.[1] ?? ''
    expect(shown).toBe('1')
    expect(opened).toContain('"versaoManifesto":1')

    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })

    expect((await sign(slug, { versaoManifesto: shown })).status).toBe(201)
    expect((await sign(slug, { versaoManifesto: 1 })).status).toBe(201)
    expect((await signPlainly(slug, { versaoManifesto: shown })).status).toBe(303)
    expect((await sign(slug, { versaoManifesto: 2 })).status).toBe(201)
    expect(await signedVersions(slug)).toEqual([1, 1, 1, 2])
    expect(await publicText(slug)).toContain('name="versaoManifesto" value="2"')
    await expectVersions(campaign, [
      [2, 'admin', 1],
      [1, 'admin', 3],
    ])
  })

  test('who signed each is told with the moment of the counting, and adds up with who came since', async () => {
    const campaign = await create()
    await sign(campaign.slug)
    expect(await listed(campaign)).toMatchObject({ versions: [{ signatures: 1 }], counted: null })
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    await sign(campaign.slug)
    await expectVersions(campaign, [
      [2, 'admin', 1],
      [1, 'admin', 1],
    ])

    await sign(campaign.slug)

    const { versions, counted } = await listed(campaign)
    const told = versions.reduce((sum, { signatures }) => sum + (signatures ?? 0), 0)
    expect(told + (counted?.uncounted ?? 0)).toBe(3)
    expect(Date.parse(counted?.at ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('before the first counting has ended nothing is claimed, and in a rush it gives way', async () => {
    const campaign = await create()
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    await sign(campaign.slug)
    const log = createLog('silent')
    const database = openDatabase(site.engine, log)
    try {
      const calm = Promise.withResolvers<void>()
      const behind: Rush['behind'] = (work) => calm.promise.then(work)
      const rush = { ...createRush(), behind }
      const census = createCensus({ database, log, rush, leastPauseMs: 5_000 })
      const versions = createVersions({ database, tallies: createTallies(database, log, 1_000), census })

      expect(await versions.of(campaign.id)).toMatchObject({
        ...{ counted: null, versions: [{ signatures: null }, { signatures: null }] },
      })

      calm.resolve()
      await expect
        .poll(async () => (await versions.of(campaign.id)).versions.map(({ signatures }) => signatures), {
          timeout: 10_000,
        })
        .toEqual([1, 0])
    } finally {
      await database.close()
    }
  })

  test('none, or one that cannot be, is the present one, and nobody is refused for it', async () => {
    const campaign = await create()
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    for (const versaoManifesto of [undefined, null, '', 0, -1, 3, 1.5, 1e300, 'duas', [], {}, '9'.repeat(400)])
      expect((await sign(campaign.slug, { versaoManifesto })).status).toBe(201)
    expect(new Set(await signedVersions(campaign.slug))).toEqual(new Set([2]))
  })

  test('a page from a node that heard of the change first keeps its version', async () => {
    const campaign = await create()
    // What this node knows is about a second old when the other one shows the new text.
    await sign(campaign.slug)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await site.rows(`update campaigns set "manifestoHtml" = '<p>Outro</p>', "versaoManifesto" = 2 where id = $1`, [
      campaign.id,
    ])

    await sign(campaign.slug, { versaoManifesto: 2 })

    expect(await signedVersions(campaign.slug)).toEqual([1, 2])
  })

  test('a text written straight into the database is kept before it is replaced', async () => {
    const campaign = await create()
    await site.rows(`delete from manifestos where "campaignId" = $1`, [campaign.id])
    await edited(campaign, { manifestoHtml: '<p>Outro texto</p>' })
    await expectVersions(campaign, [
      [2, 'admin', 0],
      [1, 'admin', 0],
    ])
  })
})

test('the picture of a shared link is drawn before anything is saved', async () => {
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
