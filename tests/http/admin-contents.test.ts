// Contents in the admin area: what the public sees after each change, and concurrent changes.
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  for (const { id } of await all()) await admin.ask('DELETE', `${path}/${id}`)
})

interface Content {
  id: number
  titulo: string
  categoria: string
  descricao: string
  imagemUrl: string
  ordem: number
  isActive: boolean
  createdAt: string
  updatedAt: string
}
interface Saved {
  success: boolean
  message: string
  content: Content
}

const path = '/api/admin/carousel-contents'
const all = async () => (await admin.ask<{ contents: Content[] }>('GET', path)).contents
const publicContents = async () => (await (await fetch(`${site.url}/api/carousel-contents`)).json()) as Content[]
const titles = (contents: Content[]) => contents.map(({ titulo }) => titulo)
const page = async () => (await fetch(`${site.url}/conteudos-destaque`)).text()

const someFields = { titulo: 'Cartaz de exemplo', categoria: 'REDES', descricao: 'Para compartilhar', ordem: '0' }

async function publish(fields: Partial<typeof someFields> = {}): Promise<Content> {
  const form = imageForm(await aPicture(), { ...someFields, ...fields })
  return (await admin.ask<Saved>('POST', path, form)).content
}

async function refusalOf(answer: Response): Promise<{ status: number; message: string; errors?: object }> {
  return { status: answer.status, ...((await answer.json()) as { message: string }) }
}

const storedImages = async () =>
  (await site.rows<{ sha256: string }>('select distinct sha256 from media')).map(({ sha256 }) => sha256)
const isStored = async ({ imagemUrl }: Content) => (await storedImages()).some((sha256) => imagemUrl.includes(sha256))

test('a published content is public at once, with its image in all formats', async () => {
  await page()
  await publicContents()
  const form = imageForm(await aPicture('jpeg', { width: 1200, height: 1500 }), { ...someFields, ordem: '3' })

  const answer = await admin.call('POST', path, form)

  expect(answer.status).toBe(201)
  const { content, ...reply } = (await answer.json()) as Saved
  expect(reply).toEqual({ success: true, message: 'Conteúdo salvo com sucesso!' })
  expect(content).toMatchObject({ ...someFields, ordem: 3, isActive: true })
  expect(await publicContents()).toEqual([
    { ...someFields, ordem: 3, isActive: true, id: content.id, imagemUrl: content.imagemUrl },
  ])
  expect(await page()).toContain('Cartaz de exemplo')
  const png = await fetch(site.url + content.imagemUrl.replace('.webp', '.png'))
  expect(png.headers.get('content-type')).toBe('image/png')
  expect(await sharp(Buffer.from(await png.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 1080 })
})

test('a repeated publication is stored once; with other fields it is another content', async () => {
  const picture = await aPicture()
  const send = async (fields = {}) =>
    (await admin.ask<Saved>('POST', path, imageForm(picture, { ...someFields, ...fields }))).content
  const [one, again] = await Promise.all([send(), send()])
  expect(again?.id).toBe(one?.id)
  expect(await all()).toHaveLength(1)
  expect(await site.rows(`select 1 from admin_actions where action = 'Publicou conteúdo'`)).toHaveLength(1)
  await send({ descricao: 'Outras palavras' })
  expect(await all()).toHaveLength(2)
})

test('the admin list has all contents in the order of the site', async () => {
  const last = await publish({ titulo: 'último', ordem: '5' })
  const first = await publish({ titulo: 'primeiro' })
  await admin.ask('PATCH', `${path}/${first.id}`, { isActive: false })

  const contents = await all()

  expect(titles(contents)).toEqual(['primeiro', 'último'])
  expect(contents[0]).toMatchObject({ isActive: false })
  expect(contents[1]).toEqual(last)
  expect(titles(await publicContents())).toEqual(['último'])
})

describe('missing or wrong fields', () => {
  const required = 'Preencha todos os campos obrigatórios'
  const ordem = 'A ordem deve ser um número inteiro, a partir de 0'
  const petition = 'Escolha uma petição da lista'
  test.each([
    [{ titulo: '' }, required],
    [{ categoria: '   ' }, required],
    [{ descricao: '' }, required],
    [{ titulo: 'x'.repeat(201) }, 'O título pode ter até 200 caracteres'],
    [{ categoria: 'x'.repeat(51) }, 'A categoria pode ter até 50 caracteres'],
    [{ descricao: 'x'.repeat(2_001) }, 'A descrição pode ter até 2.000 caracteres'],
    [{ titulo: 'a\u0000b' }, 'O texto tem caracteres que não podem ser gravados'],
    [{ ordem: '-1' }, ordem],
    [{ ordem: '1.5' }, ordem],
    [{ ordem: 'dois' }, ordem],
    [{ ordem: '99999999999' }, ordem],
    [{ campaignId: '1.5' }, petition],
    [{ campaignId: 'abc' }, petition],
    [{ campaignId: '99999999999999999999' }, petition],
  ])('%j is refused with a message for its field', async (wrong, message) => {
    const answer = await admin.call('POST', path, imageForm(await aPicture(), { ...someFields, ...wrong }))
    const [field] = Object.keys(wrong)
    expect(await refusalOf(answer)).toMatchObject({ status: 400, message, errors: { [String(field)]: message } })
    expect(await all()).toEqual([])
  })

  test('the image is checked after the other fields', async () => {
    const form = new FormData()
    form.set('ordem', '1')
    expect(await refusalOf(await admin.call('POST', path, form))).toMatchObject({ status: 400, message: required })
    for (const [field, value] of Object.entries(someFields)) form.set(field, value)
    expect(await refusalOf(await admin.call('POST', path, form))).toMatchObject({
      status: 400,
      message: 'Selecione uma imagem para o conteúdo',
      errors: { imagem: 'Selecione uma imagem para o conteúdo' },
    })
  })

  test('an invalid image is refused and not stored', async () => {
    const before = await storedImages()
    const answer = await admin.call('POST', path, imageForm(Buffer.from('<svg/>'), someFields))
    expect(await refusalOf(answer)).toMatchObject({
      status: 415,
      message: expect.stringContaining('Formato não aceito'),
    })
    expect(await storedImages()).toEqual(before)
  })

  test('fields that clients may not set are ignored', async () => {
    const form = imageForm(await aPicture(), {
      ...someFields,
      id: '77',
      isActive: 'false',
      imagemUrl: '/media/x',
      createdAt: '2020-01-01',
    })
    const { content } = await admin.ask<Saved>('POST', path, form)
    expect(content.id).not.toBe(77)
    expect(content).toMatchObject({ isActive: true, imagemUrl: expect.stringMatching(/^\/media\/[0-9a-f]{64}/) })
    expect(content.createdAt > '2026').toBe(true)
  })

  test('the default order is zero', async () => {
    const { ordem: _, ...fields } = someFields
    const { content } = await admin.ask<Saved>('POST', path, imageForm(await aPicture(), fields))
    expect(content.ordem).toBe(0)
  })
})

describe('editing', () => {
  test('keeps the image unless a new one is sent, and then deletes the old one', async () => {
    const content = await publish()
    const { content: renamed } = await admin.ask<Saved>('PUT', `${path}/${content.id}`, {
      ...someFields,
      titulo: 'Outro nome',
      updatedAt: content.updatedAt,
    })
    expect(renamed).toMatchObject({ id: content.id, titulo: 'Outro nome', imagemUrl: content.imagemUrl })
    expect(await page()).toContain('Outro nome')

    const form = imageForm(await aPicture(), { ...someFields, updatedAt: renamed.updatedAt })
    const { content: redrawn, message } = await admin.ask<Saved>('PUT', `${path}/${content.id}`, form)

    expect(message).toBe('Conteúdo salvo com sucesso!')
    expect(redrawn.imagemUrl).not.toBe(content.imagemUrl)
    expect(await isStored(redrawn)).toBe(true)
    expect(await isStored(content)).toBe(false)
  })

  test('two contents can exchange their images at the same time without a deadlock', async () => {
    const pictures = [await aPicture(), await aPicture()]
    const put = (method: string, url: string, picture: Buffer, fields: object) =>
      admin.ask<Saved>(method, url, imageForm(picture, { ...someFields, ...fields }))
    let contents = await Promise.all(
      pictures.map(async (picture, n) => (await put('POST', path, picture, { titulo: `conteúdo ${n}` })).content),
    )
    for (let round = 0; round < 15; round++) {
      pictures.reverse()
      contents = await Promise.all(
        contents.map(
          async ({ id, updatedAt }, n) =>
            (await put('PUT', `${path}/${id}`, pictures[n] as Buffer, { updatedAt })).content,
        ),
      )
    }
    expect(await storedImages()).toHaveLength(2)
  })

  test('the second of two concurrent edits is refused and overwrites nothing', async () => {
    const content = await publish()
    const edit = (titulo: string) =>
      admin.call('PUT', `${path}/${content.id}`, { ...someFields, titulo, updatedAt: content.updatedAt })

    const answers = await Promise.all([edit('da primeira'), edit('da segunda')])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409) as Response
    expect(((await refused.json()) as { message: string }).message).toMatch(/^Outra pessoa alterou este conteúdo/)
    const saved = answers[0]?.status === 200 ? 'da primeira' : 'da segunda'
    expect(titles(await all())).toEqual([saved])
  })

  test('an edit of a content that was hidden or moved meanwhile is refused', async () => {
    const [one, two] = [await publish({ titulo: 'um' }), await publish({ titulo: 'dois' })]
    await admin.ask('PATCH', `${path}/${one.id}`, { isActive: false })
    await admin.ask('PUT', `${path}/ordem`, { ids: [two.id, one.id], antes: [one.id, two.id] })
    for (const { id, updatedAt } of [one]) {
      const answer = await admin.call('PUT', `${path}/${id}`, { ...someFields, updatedAt })
      expect(answer.status).toBe(409)
    }
  })

  test('a refused edit neither stores the new image nor deletes the old one', async () => {
    const content = await publish()
    const before = await storedImages()
    const form = imageForm(await aPicture(), { ...someFields, updatedAt: '2020-01-01T00:00:00.000Z' })
    expect((await admin.call('PUT', `${path}/${content.id}`, form)).status).toBe(409)
    expect(await storedImages()).toEqual(before)
    const form2 = imageForm(Buffer.from('nada'), { ...someFields, updatedAt: content.updatedAt })
    expect((await admin.call('PUT', `${path}/${content.id}`, form2)).status).toBe(415)
    expect(await storedImages()).toEqual(before)
  })

  test.each([
    [{ ...someFields }, 400, 'Falta dizer a partir de qual versão o conteúdo foi editado'],
    [
      { ...someFields, updatedAt: 'ontem' },
      409,
      'Outra pessoa alterou este conteúdo enquanto você editava. Nada foi gravado.',
    ],
    [{ updatedAt: 'x' }, 400, 'Preencha todos os campos obrigatórios'],
  ])('%j is refused', async (body, status, message) => {
    const { id } = await publish()
    expect(await refusalOf(await admin.call('PUT', `${path}/${id}`, body))).toMatchObject({ status, message })
  })
})

describe('order', () => {
  test('is set for all contents in one call, and public at once', async () => {
    const [a, b, c] = [await publish({ titulo: 'a' }), await publish({ titulo: 'b' }), await publish({ titulo: 'c' })]
    await publicContents()

    await admin.ask('PUT', `${path}/ordem`, { ids: [c.id, a.id, b.id], antes: [a.id, b.id, c.id] })

    expect(titles(await publicContents())).toEqual(['c', 'a', 'b'])
    expect((await all()).map(({ ordem }) => ordem)).toEqual([0, 1, 2])
  })

  test('an order based on an outdated list is refused and changes nothing', async () => {
    const [a, b, c] = [await publish({ titulo: 'a' }), await publish({ titulo: 'b' }), await publish({ titulo: 'c' })]
    const before = [a.id, b.id, c.id]
    await admin.ask('PUT', `${path}/ordem`, { ids: [b.id, a.id, c.id], antes: before })
    const wrong = [
      { ids: [c.id, a.id, b.id], antes: before },
      { ids: [a.id, b.id], antes: [b.id, a.id, c.id] },
      { ids: [a.id, a.id, b.id], antes: [b.id, a.id, c.id] },
      { ids: [a.id, b.id, 987_654], antes: [b.id, a.id, c.id] },
      { ids: [], antes: [] },
    ]
    for (const body of wrong) {
      expect(await refusalOf(await admin.call('PUT', `${path}/ordem`, body))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/^A lista mudou/),
      })
    }
    expect(titles(await publicContents())).toEqual(['b', 'a', 'c'])
  })

  test('of two concurrent orders one is refused', async () => {
    const [a, b, c] = [await publish({ titulo: 'a' }), await publish({ titulo: 'b' }), await publish({ titulo: 'c' })]
    const antes = [a.id, b.id, c.id]
    const answers = await Promise.all(
      [
        [c.id, b.id, a.id],
        [b.id, a.id, c.id],
      ].map((ids) => admin.call('PUT', `${path}/ordem`, { ids, antes })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test.each([{}, { ids: 'x', antes: [] }, { ids: ['a'], antes: [] }, { ids: [1.5], antes: [] }])(
    '%j is refused with a message',
    async (body) => {
      expect(await refusalOf(await admin.call('PUT', `${path}/ordem`, body))).toMatchObject({
        status: 400,
        message: 'Erro ao salvar a ordem',
      })
    },
  )
})

describe('hiding a content', () => {
  test('takes it off the site at once, and can be undone', async () => {
    const { id } = await publish()
    expect(await page()).toContain('Cartaz de exemplo')

    const off = await admin.ask<Saved>('PATCH', `${path}/${id}`, { isActive: false })
    expect(off).toMatchObject({ message: 'Conteúdo retirado do site.', content: { isActive: false } })
    expect(await publicContents()).toEqual([])
    expect(await page()).not.toContain('Cartaz de exemplo')

    await admin.ask('PATCH', `${path}/${id}`, { isActive: true })
    expect(titles(await publicContents())).toEqual(['Cartaz de exemplo'])
  })

  test.each([{}, { isActive: 'sim' }, { isActive: null }])('%j is refused with a message', async (body) => {
    const { id } = await publish()
    expect(await refusalOf(await admin.call('PATCH', `${path}/${id}`, body))).toMatchObject({
      status: 400,
      message: 'Erro ao mudar a exibição do conteúdo',
    })
  })
})

describe('removal', () => {
  test('takes the content off the site and deletes its image', async () => {
    const content = await publish()
    expect((await fetch(site.url + content.imagemUrl)).status).toBe(200)

    const answer = await admin.call('DELETE', `${path}/${content.id}`)

    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, message: 'Conteúdo removido com sucesso!' })
    expect(await publicContents()).toEqual([])
    expect(await page()).not.toContain('Cartaz de exemplo')
    expect(await isStored(content)).toBe(false)
    expect((await fetch(site.url + content.imagemUrl.replace('.webp', '.png'))).status).toBe(404)
  })

  test('keeps an image that another content, a campaign or a manifesto shows', async () => {
    const picture = await aPicture()
    const publishAs = async (titulo: string) =>
      (await admin.ask<Saved>('POST', path, imageForm(picture, { ...someFields, titulo }))).content
    const [one, other] = [await publishAs('um'), await publishAs('outro')]
    expect(one.imagemUrl).toBe(other.imagemUrl)

    await admin.ask('DELETE', `${path}/${one.id}`)
    expect(await isStored(other)).toBe(true)

    await site.rows(`update campaigns set "manifestoHtml" = $1 where slug = 'juros'`, [
      `<p><img src="${one.imagemUrl}"></p>`,
    ])
    await admin.ask('DELETE', `${path}/${other.id}`)
    expect(await isStored(other)).toBe(true)
  })

  test('keeps an image that was just uploaded for a campaign', async () => {
    const picture = await aPicture()
    const { content } = await admin.ask<Saved>('POST', path, imageForm(picture, someFields))
    await admin.ask('POST', '/api/admin/imagens', imageForm(picture))
    await admin.ask('DELETE', `${path}/${content.id}`)
    expect(await isStored(content)).toBe(true)
  })

  // The embedded engine runs one transaction at a time.
  test.runIf(inject('source').kind === 'postgres')('keeps an image that is being published again', async () => {
    const picture = await aPicture()
    const { content: old } = await admin.ask<Saved>('POST', path, imageForm(picture, someFields))
    await site.rows(
      `create function hesitate() returns trigger language plpgsql as 'begin perform pg_sleep(1); return new; end'`,
    )
    await site.rows(
      'create trigger hesitant before insert on carousel_contents for each row execute function hesitate()',
    )
    const hesitating = () => site.rows(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)

    const publishing = admin.ask<Saved>('POST', path, imageForm(picture, { ...someFields, titulo: 'Outro cartaz' }))
    await expect.poll(hesitating, { timeout: 10_000, interval: 20 }).toHaveLength(1)
    await admin.ask('DELETE', `${path}/${old.id}`)
    const { content: fresh } = await publishing
    await site.rows('drop function hesitate cascade')

    expect((await all()).map(({ id }) => id)).toEqual([fresh.id])
    expect(await isStored(fresh)).toBe(true)
  })

  test('of a deleted content is a 404, like every other change of it', async () => {
    const { id, updatedAt } = await publish()
    await admin.ask('DELETE', `${path}/${id}`)
    const notFound = { status: 404, message: 'Este conteúdo não existe mais: outra pessoa o removeu.' }
    expect(await refusalOf(await admin.call('DELETE', `${path}/${id}`))).toMatchObject(notFound)
    expect(await refusalOf(await admin.call('PATCH', `${path}/${id}`, { isActive: true }))).toMatchObject(notFound)
    expect(await refusalOf(await admin.call('PUT', `${path}/${id}`, { ...someFields, updatedAt }))).toMatchObject(
      notFound,
    )
    const before = await storedImages()
    const form = imageForm(await aPicture(), { ...someFields, updatedAt })
    expect(await refusalOf(await admin.call('PUT', `${path}/${id}`, form))).toMatchObject(notFound)
    expect(await storedImages()).toEqual(before)
    for (const invalidId of ['0', '-1', 'x', '9'.repeat(40)])
      expect(await refusalOf(await admin.call('DELETE', `${path}/${invalidId}`))).toMatchObject(notFound)
  })
})

test('every change is in the audit log with the title of the content', async () => {
  const { id, updatedAt } = await publish({ titulo: 'Cartaz da praça' })
  await admin.ask('PUT', `${path}/${id}`, { ...someFields, titulo: 'Cartaz da rua', updatedAt })
  await admin.ask('PATCH', `${path}/${id}`, { isActive: false })
  await admin.ask('PUT', `${path}/ordem`, { ids: [id], antes: [id] })
  await admin.ask('DELETE', `${path}/${id}`)
  expect(await site.rows('select action, target from admin_actions order by id')).toEqual([
    { action: 'Publicou conteúdo', target: 'Cartaz da praça' },
    { action: 'Editou conteúdo', target: 'Cartaz da rua' },
    { action: 'Mudou a exibição de conteúdo', target: 'Cartaz da rua: fora do site' },
    { action: 'Ordenou os conteúdos', target: '' },
    { action: 'Removeu conteúdo', target: 'Cartaz da rua' },
  ])
  const [edit] = await site.rows(`select changes from admin_actions where action = 'Editou conteúdo'`)
  expect(edit?.changes).toContainEqual({ field: 'Título', before: 'Cartaz da praça', after: 'Cartaz da rua' })
})

test('a content leads to its petition while that can be signed, and the audit log names the petition', async () => {
  const [campaign] = await site.rows<{ id: number }>(`select id::int from campaigns where slug = 'fim-escala-6x1'`)
  const published = await publish()
  expect(published).toMatchObject({ campaignId: null })
  const { updatedAt } = published
  const edit = imageForm(await aPicture(), { ...someFields, campaignId: String(campaign?.id), updatedAt })

  const { content } = await admin.ask<Saved>('PUT', `${path}/${published.id}`, edit)

  expect(content).toMatchObject({ campaignId: campaign?.id })
  await expect
    .poll(publicContents)
    .toMatchObject([{ peticao: { path: '/p/fim-escala-6x1', status: 'live', shareTexts: {} } }])
  await expect.poll(page).toContain('href="/p/fim-escala-6x1"')
  const [audited] = await site.rows<{ changes: object }>('select changes from admin_actions order by id desc limit 1')
  expect(audited?.changes).toContainEqual({
    field: 'Petição',
    before: '',
    after: 'A vida não cabe num domingo: fim da escala 6x1',
  })

  await site.rows(`update campaigns set status = 'closed' where slug = 'fim-escala-6x1'`)
  onTestFinished(
    async () => void (await site.rows(`update campaigns set status = 'live' where slug = 'fim-escala-6x1'`)),
  )
  await expect.poll(publicContents).toEqual([expect.not.objectContaining({ peticao: expect.anything() })])
})

test('a petition that does not exist is refused', async () => {
  const answer = await admin.call('POST', path, imageForm(await aPicture(), { ...someFields, campaignId: '999999' }))

  expect(await refusalOf(answer)).toMatchObject({
    status: 400,
    message: 'Escolha uma petição da lista',
    errors: { campaignId: 'Escolha uma petição da lista' },
  })
})
