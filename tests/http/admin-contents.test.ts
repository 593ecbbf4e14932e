// Contents as administrators keep them: what the public sees after each change, and what happens when two people meet.
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
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
const shown = async () => (await (await fetch(`${site.url}/api/carousel-contents`)).json()) as Content[]
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

const imagesKept = async () =>
  (await site.rows<{ sha256: string }>('select distinct sha256 from media')).map(({ sha256 }) => sha256)
const isKept = async ({ imagemUrl }: Content) => (await imagesKept()).some((sha256) => imagemUrl.includes(sha256))

test('a published content is on the site at once, with its image in all its formats', async () => {
  await page()
  await shown()
  const form = imageForm(await aPicture('jpeg', { width: 1200, height: 1500 }), { ...someFields, ordem: '3' })

  const answer = await admin.call('POST', path, form)

  expect(answer.status).toBe(201)
  const { content, ...reply } = (await answer.json()) as Saved
  expect(reply).toEqual({ success: true, message: 'Conteúdo salvo com sucesso!' })
  expect(content).toMatchObject({ ...someFields, ordem: 3, isActive: true })
  expect(await shown()).toEqual([
    { ...someFields, ordem: 3, isActive: true, id: content.id, imagemUrl: content.imagemUrl },
  ])
  expect(await page()).toContain('Cartaz de exemplo')
  const png = await fetch(site.url + content.imagemUrl.replace('.webp', '.png'))
  expect(png.headers.get('content-type')).toBe('image/png')
  expect(await sharp(Buffer.from(await png.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 1080 })
})

test('what is sent again because its answer was lost is published once; with other words it is another', async () => {
  const picture = await aPicture()
  const send = async (fields = {}) =>
    (await admin.ask<Saved>('POST', path, imageForm(picture, { ...someFields, ...fields }))).content
  const [one, again] = await Promise.all([send(), send()])
  expect(again?.id).toBe(one?.id)
  expect(await all()).toHaveLength(1)
  await send({ descricao: 'Outras palavras' })
  expect(await all()).toHaveLength(2)
})

test('the list of administrators has everything, in the order of the site', async () => {
  const last = await publish({ titulo: 'último', ordem: '5' })
  const first = await publish({ titulo: 'primeiro' })
  await admin.ask('PATCH', `${path}/${first.id}`, { isActive: false })

  const contents = await all()

  expect(titles(contents)).toEqual(['primeiro', 'último'])
  expect(contents[0]).toMatchObject({ isActive: false })
  expect(contents[1]).toEqual(last)
  expect(titles(await shown())).toEqual(['último'])
})

describe('what is missing or wrong', () => {
  const required = 'Preencha todos os campos obrigatórios'
  const ordem = 'A ordem deve ser um número inteiro, a partir de 0'
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
  ])('%j is refused with a sentence beside its field', async (wrong, message) => {
    const answer = await admin.call('POST', path, imageForm(await aPicture(), { ...someFields, ...wrong }))
    const [field] = Object.keys(wrong)
    expect(await refusalOf(answer)).toMatchObject({ status: 400, message, errors: { [String(field)]: message } })
    expect(await all()).toEqual([])
  })

  test('the image comes after the fields', async () => {
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

  test('an image that is none is refused, and no half of it is kept', async () => {
    const before = await imagesKept()
    const answer = await admin.call('POST', path, imageForm(Buffer.from('<svg/>'), someFields))
    expect(await refusalOf(answer)).toMatchObject({
      status: 415,
      message: expect.stringContaining('Formato não aceito'),
    })
    expect(await imagesKept()).toEqual(before)
  })

  test('nobody chooses what is not theirs to choose', async () => {
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

  test('without an order it is zero', async () => {
    const { ordem: _, ...fields } = someFields
    const { content } = await admin.ask<Saved>('POST', path, imageForm(await aPicture(), fields))
    expect(content.ordem).toBe(0)
  })
})

describe('editing', () => {
  test('keeps the image unless a new one comes, and then removes the old', async () => {
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
    expect(await isKept(redrawn)).toBe(true)
    expect(await isKept(content)).toBe(false)
  })

  test('two contents that exchange their images at the same moment wait for each other in one order', async () => {
    const pictures = [await aPicture(), await aPicture()]
    const put = (method: string, where: string, picture: Buffer, fields: object) =>
      admin.ask<Saved>(method, where, imageForm(picture, { ...someFields, ...fields }))
    let contents = await Promise.all(
      pictures.map(async (picture, n) => (await put('POST', path, picture, { titulo: `conteúdo ${n}` })).content),
    )
    for (let turn = 0; turn < 15; turn++) {
      pictures.reverse()
      contents = await Promise.all(
        contents.map(
          async ({ id, updatedAt }, n) =>
            (await put('PUT', `${path}/${id}`, pictures[n] as Buffer, { updatedAt })).content,
        ),
      )
    }
    expect(await imagesKept()).toHaveLength(2)
  })

  test('the second of two who edit the same content is told, and nothing is overwritten', async () => {
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

  test('who edits what was hidden or moved meanwhile is told too', async () => {
    const [one, two] = [await publish({ titulo: 'um' }), await publish({ titulo: 'dois' })]
    await admin.ask('PATCH', `${path}/${one.id}`, { isActive: false })
    await admin.ask('PUT', `${path}/ordem`, { ids: [two.id, one.id], antes: [one.id, two.id] })
    for (const { id, updatedAt } of [one]) {
      const answer = await admin.call('PUT', `${path}/${id}`, { ...someFields, updatedAt })
      expect(answer.status).toBe(409)
    }
  })

  test('a refused edit keeps neither the new image nor loses the old', async () => {
    const content = await publish()
    const before = await imagesKept()
    const form = imageForm(await aPicture(), { ...someFields, updatedAt: '2020-01-01T00:00:00.000Z' })
    expect((await admin.call('PUT', `${path}/${content.id}`, form)).status).toBe(409)
    expect(await imagesKept()).toEqual(before)
    const form2 = imageForm(Buffer.from('nada'), { ...someFields, updatedAt: content.updatedAt })
    expect((await admin.call('PUT', `${path}/${content.id}`, form2)).status).toBe(415)
    expect(await imagesKept()).toEqual(before)
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
  test('is set for all in one call, and seen on the site at once', async () => {
    const [a, b, c] = [await publish({ titulo: 'a' }), await publish({ titulo: 'b' }), await publish({ titulo: 'c' })]
    await shown()

    await admin.ask('PUT', `${path}/ordem`, { ids: [c.id, a.id, b.id], antes: [a.id, b.id, c.id] })

    expect(titles(await shown())).toEqual(['c', 'a', 'b'])
    expect((await all()).map(({ ordem }) => ordem)).toEqual([0, 1, 2])
  })

  test('who orders another list than there is now is told, and nothing moves', async () => {
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
    expect(titles(await shown())).toEqual(['b', 'a', 'c'])
  })

  test('two who order at the same moment: one of them is told', async () => {
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
    '%j is refused with a sentence',
    async (body) => {
      expect(await refusalOf(await admin.call('PUT', `${path}/ordem`, body))).toMatchObject({
        status: 400,
        message: 'Erro ao salvar a ordem',
      })
    },
  )
})

describe('on and off the site', () => {
  test('a content is taken off and put back, at once', async () => {
    const { id } = await publish()
    expect(await page()).toContain('Cartaz de exemplo')

    const off = await admin.ask<Saved>('PATCH', `${path}/${id}`, { isActive: false })
    expect(off).toMatchObject({ message: 'Conteúdo retirado do site.', content: { isActive: false } })
    expect(await shown()).toEqual([])
    expect(await page()).not.toContain('Cartaz de exemplo')

    await admin.ask('PATCH', `${path}/${id}`, { isActive: true })
    expect(titles(await shown())).toEqual(['Cartaz de exemplo'])
  })

  test.each([{}, { isActive: 'sim' }, { isActive: null }])('%j is refused with a sentence', async (body) => {
    const { id } = await publish()
    expect(await refusalOf(await admin.call('PATCH', `${path}/${id}`, body))).toMatchObject({
      status: 400,
      message: 'Erro ao mudar a exibição do conteúdo',
    })
  })
})

describe('removal', () => {
  test('takes the content off the site and its image out of the database', async () => {
    const content = await publish()
    expect((await fetch(site.url + content.imagemUrl)).status).toBe(200)

    const answer = await admin.call('DELETE', `${path}/${content.id}`)

    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, message: 'Conteúdo removido com sucesso!' })
    expect(await shown()).toEqual([])
    expect(await page()).not.toContain('Cartaz de exemplo')
    expect(await isKept(content)).toBe(false)
    expect((await fetch(site.url + content.imagemUrl.replace('.webp', '.png'))).status).toBe(404)
  })

  test('leaves an image that another content, a campaign or a manifesto shows', async () => {
    const picture = await aPicture()
    const publishAs = async (titulo: string) =>
      (await admin.ask<Saved>('POST', path, imageForm(picture, { ...someFields, titulo }))).content
    const [one, other] = [await publishAs('um'), await publishAs('outro')]
    expect(one.imagemUrl).toBe(other.imagemUrl)

    await admin.ask('DELETE', `${path}/${one.id}`)
    expect(await isKept(other)).toBe(true)

    await site.rows(`update campaigns set "manifestoHtml" = $1 where slug = 'juros'`, [
      `<p><img src="${one.imagemUrl}"></p>`,
    ])
    await admin.ask('DELETE', `${path}/${other.id}`)
    expect(await isKept(other)).toBe(true)
  })

  test('leaves an image that somebody has just sent for a campaign', async () => {
    const picture = await aPicture()
    const { content } = await admin.ask<Saved>('POST', path, imageForm(picture, someFields))
    await admin.ask('POST', '/api/admin/imagens', imageForm(picture))
    await admin.ask('DELETE', `${path}/${content.id}`)
    expect(await isKept(content)).toBe(true)
  })

  // The embedded engine lets nobody between the statements of a transaction.
  test.runIf(inject('source').kind === 'postgres')(
    'while the same image is being published again leaves nobody without it',
    async () => {
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
      expect(await isKept(fresh)).toBe(true)
    },
  )

  test('of what is gone already says so, and so does every other deed', async () => {
    const { id, updatedAt } = await publish()
    await admin.ask('DELETE', `${path}/${id}`)
    const gone = { status: 404, message: 'Este conteúdo não existe mais: outra pessoa o removeu.' }
    expect(await refusalOf(await admin.call('DELETE', `${path}/${id}`))).toMatchObject(gone)
    expect(await refusalOf(await admin.call('PATCH', `${path}/${id}`, { isActive: true }))).toMatchObject(gone)
    expect(await refusalOf(await admin.call('PUT', `${path}/${id}`, { ...someFields, updatedAt }))).toMatchObject(gone)
    const before = await imagesKept()
    const form = imageForm(await aPicture(), { ...someFields, updatedAt })
    expect(await refusalOf(await admin.call('PUT', `${path}/${id}`, form))).toMatchObject(gone)
    expect(await imagesKept()).toEqual(before)
    for (const odd of ['0', '-1', 'x', '9'.repeat(40)])
      expect(await refusalOf(await admin.call('DELETE', `${path}/${odd}`))).toMatchObject(gone)
  })
})

test('every deed is on record, with the title of what it was done to', async () => {
  const { id, updatedAt } = await publish({ titulo: 'Cartaz da praça' })
  await admin.ask('PUT', `${path}/${id}`, { ...someFields, titulo: 'Cartaz da rua', updatedAt })
  await admin.ask('PATCH', `${path}/${id}`, { isActive: false })
  await admin.ask('PUT', `${path}/ordem`, { ids: [id], antes: [id] })
  await admin.ask('DELETE', `${path}/${id}`)
  expect(await site.rows('select acao, alvo from admin_actions order by id')).toEqual([
    { acao: 'Publicou conteúdo', alvo: 'Cartaz da praça' },
    { acao: 'Editou conteúdo', alvo: 'Cartaz da rua' },
    { acao: 'Mudou a exibição de conteúdo', alvo: 'Cartaz da rua: fora do site' },
    { acao: 'Ordenou os conteúdos', alvo: '' },
    { acao: 'Removeu conteúdo', alvo: 'Cartaz da rua' },
  ])
  const [edit] = await site.rows(`select changes from admin_actions where acao = 'Editou conteúdo'`)
  expect(edit?.changes).toContainEqual({ field: 'Título', before: 'Cartaz da praça', after: 'Cartaz da rua' })
})
