// The public contents: which are shown, in which order, with which fields.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

interface Item {
  titulo: string
  ordem: number
}

async function list(): Promise<Item[]> {
  // A change is visible within two seconds; the node caches for one second.
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  return (await (await fetch(`${site.url}/api/carousel-contents`)).json()) as Item[]
}

async function replaceContents(items: { titulo: string; ordem: number; isActive?: boolean }[]): Promise<void> {
  await site.rows('delete from carousel_contents')
  for (const { titulo, ordem, isActive = true } of items) {
    await site.rows(
      `insert into carousel_contents (titulo, categoria, descricao, "imagemUrl", ordem, "isActive")
       values ($1, 'REDES', 'Para compartilhar', '/media/x.webp', $2, $3)`,
      [titulo, ordem, isActive],
    )
  }
}

test('the sample contents are public', async () => {
  const answer = await fetch(`${site.url}/api/carousel-contents`)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=1')
  const items = (await answer.json()) as object[]
  expect(items.length).toBeGreaterThan(0)
  for (const item of items) {
    expect(Object.keys(item).sort()).toEqual(
      ['categoria', 'descricao', 'id', 'imagemUrl', 'isActive', 'ordem', 'titulo'].sort(),
    )
  }
})

test('active contents are in ascending order, and equal ones in the order of creation', async () => {
  await replaceContents([
    { titulo: 'terceiro', ordem: 7 },
    { titulo: 'guardado', ordem: 1, isActive: false },
    { titulo: 'primeiro', ordem: 0 },
    { titulo: 'quarto', ordem: 7 },
    { titulo: 'segundo', ordem: 2 },
  ])

  const items = await list()

  expect(items.map(({ titulo }) => titulo)).toEqual(['primeiro', 'segundo', 'terceiro', 'quarto'])
  expect(items[0]).toMatchObject({
    categoria: 'REDES',
    descricao: 'Para compartilhar',
    imagemUrl: '/media/x.webp',
    ordem: 0,
    isActive: true,
  })
})

test('without contents the list is empty', async () => {
  await replaceContents([])

  expect(await list()).toEqual([])
})

test('contents are still served while the database fails', async () => {
  await replaceContents([{ titulo: 'lembrado', ordem: 0 }])
  await list()
  await site.rows('alter table carousel_contents rename to carousel_contents_away')
  try {
    expect((await list()).map(({ titulo }) => titulo)).toEqual(['lembrado'])
  } finally {
    await site.rows('alter table carousel_contents_away rename to carousel_contents')
  }
})

test('the list cannot be written to', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expect((await fetch(`${site.url}/api/carousel-contents`, { method })).status).toBe(404)
  }
})
