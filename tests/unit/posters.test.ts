// Sample data of a new site: drawn and encoded posters, campaigns and contents within their limits.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodeForSharing, encodeImage } from '#server/adapters/images.ts'
import { sampleCampaigns } from '#server/db/sample-campaigns.ts'
import { sampleContents } from '#server/db/sample-contents.ts'
import { readPoster } from '#server/db/seed.ts'
import type { Poster } from '../../scripts/sample-posters/composition.ts'
import { drawPoster, encodeFormats, posterSvg } from '../../scripts/sample-posters/draw.ts'
import { posters } from '../../scripts/sample-posters/posters.ts'

const aPoster = (fields: Partial<Poster> = {}): Poster => ({
  titulo: 'Ninguém acima da lei',
  categoria: 'DEMOCRACIA',
  tema: 'red',
  chamada: 'Assine você também.',
  arte: 'megaphone',
  ...fields,
})

const artes = [...new Set(Object.values(posters).map(({ arte }) => arte))]
const fileOf = (imagem: string) =>
  readFileSync(new URL(`../../src/server/db/sample-posters/${imagem}.webp`, import.meta.url))

describe('posters', () => {
  test.each(sampleContents)('the file of "$titulo" is 1080 × 1350 and small enough for a phone', async ({ imagem }) => {
    const webp = fileOf(imagem)
    const image = readPoster(imagem)

    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 1080, height: 1350 })
    expect(image).toMatchObject({ width: 1080, height: 1350 })
    expect(dataOf(image, 'webp').equals(webp)).toBe(true)
    for (const { format, bytes, width, height } of image.formats)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: format.replace('640.', ''), width, height })
    expect(dataOf(image, 'png').length).toBeLessThanOrEqual(210 * 1024)
    expect(webp.length).toBeLessThanOrEqual(120 * 1024)
    expect(dataOf(image, '640.webp').length).toBeLessThanOrEqual(70 * 1024)
  })

  test.each(sampleContents)(
    'the file of "$titulo" is what the script draws today',
    { tags: ['slow'] },
    async ({ imagem, categoria }) => {
      const drawn = await drawPoster({ ...aPoster(posters[imagem]), categoria })
      const [before, after] = await Promise.all([fileOf(imagem), drawn].map(rawPixels))
      let different = 0
      for (let pixel = 0; pixel < 1080 * 1350; pixel++)
        if (differs(before as Buffer, after as Buffer, pixel * 3, 64)) different += 1
      expect(different).toBeLessThan(1080 * 13.5)
      const png = dataOf(readPoster(imagem), 'png')
      expect((await rawPixels(png)).equals(before as Buffer)).toBe(true)
      const small = await Promise.all(
        [dataOf(readPoster(imagem), '640.webp'), (await encodeFormats(fileOf(imagem)))['640.webp']].map(rawPixels),
      )
      expect(small[0]?.equals(small[1] as Buffer)).toBe(true)
    },
  )

  test('the same poster gives the same bytes, and another headline gives others', { tags: ['slow'] }, async () => {
    const [first, again, other] = [
      await drawPoster(aPoster()),
      await drawPoster(aPoster()),
      await drawPoster(aPoster({ titulo: 'Ninguém abaixo da lei' })),
    ]

    expect(again.equals(first)).toBe(true)
    expect(other.equals(first)).toBe(false)
  })

  // The paper strips of "stripes" extend beyond the edge on purpose.
  test.each(artes.filter((arte) => arte !== 'stripes'))(
    '"%s" keeps any headline inside the image',
    { tags: ['slow'] },
    async (arte) => {
      const blank = await pixelsOf({ arte, titulo: ' ' })

      for (const titulo of [
        'Já!',
        'Constitucionalissimamente',
        'Ação e união pela educação já '.repeat(7).slice(0, 200),
      ]) {
        const { left, right, top, bottom } = changedBox(blank, await pixelsOf({ arte, titulo }))
        expect([left > 20, right < 1060, top > 20, bottom < 1215]).toEqual([true, true, true, true])
      }
    },
  )
})

describe('images', () => {
  test('a poster is encoded as WebP in two widths and as PNG', async () => {
    const image = await encodeImage(await drawPoster(aPoster()))

    const formats = await Promise.all(
      image.formats.map(async ({ format: name, bytes }) => {
        const { format, width, height } = await sharp(bytes).metadata()
        return [name, format, width, height]
      }),
    )
    expect(formats).toEqual([
      ['webp', 'webp', 1080, 1350],
      ['640.webp', 'webp', 640, 800],
      ['png', 'png', 1080, 1350],
    ])
    expect(image.formats.map(({ contentType }) => contentType)).toEqual(['image/webp', 'image/webp', 'image/png'])
    expect(image).toMatchObject({ width: 1080, height: 1350 })
    expect(image.sha256).toBe(createHash('sha256').update(dataOf(image, 'webp')).digest('hex'))
  })

  test('a rotated photograph is set upright and loses its metadata', async () => {
    const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#C4122F' } })
      .composite([
        { input: { create: { width: 60, height: 20, channels: 3, background: '#0B6E4F' } }, left: 0, top: 0 },
      ])
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).orientation).toBe(6)

    const image = await encodeImage(photo)

    expect(image).toMatchObject({ width: 40, height: 60 })
    for (const { bytes } of image.formats) {
      const { exif, icc, xmp, orientation } = await sharp(bytes).metadata()
      expect({ exif, icc, xmp, orientation }).toEqual({})
    }
    const [red, green] = await sharp(dataOf(image, 'png'))
      .extract({ left: 35, top: 30, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect(green).toBeGreaterThan(red ?? 0)
  })

  test('a detailed photograph is made light enough for messengers', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const source = await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#000', noise } })
      .png()
      .toBuffer()
    const { bytes, width, height } = await encodeForSharing(source)
    expect([width, height]).toEqual([1200, 630])
    expect(bytes.length).toBeLessThanOrEqual(250 * 1024)
  })

  test('a small image is not enlarged', async () => {
    const tiny = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#FFC400' } })
      .png()
      .toBuffer()

    const image = await encodeImage(tiny)

    expect(image.formats.map(({ width, height }) => [width, height])).toEqual([
      [30, 20],
      [30, 20],
      [30, 20],
    ])
  })

  test('an invalid image is rejected, and the next image is still encoded', async () => {
    const [rubbish, good] = await Promise.allSettled([
      encodeImage(Buffer.from('not an image')),
      drawPoster(aPoster()).then(encodeImage),
    ])

    expect(rubbish).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('unsupported image format') },
    })
    expect(good.status).toBe('fulfilled')
  })
})

describe('sample campaigns', () => {
  const campaigns = sampleCampaigns({ slug: 'fulano', nome: 'Fulano de Tal' })

  test('the five sample campaigns have distinct slugs', () => {
    expect(campaigns.map(({ slug }) => slug)).toEqual([
      'juros',
      'cassacao-fulano',
      'brasilquerpaz',
      'contra-pec-da-impunidade',
      'fim-escala-6x1',
    ])
    expect(campaigns.map(({ baseCount }) => baseCount)).toEqual([18245, 0, 0, 0, 0])
  })

  test('every text fits its column, even with the longest allowed name of a deputy', () => {
    for (const campaign of [...campaigns, ...sampleCampaigns({ slug: 'x'.repeat(60), nome: 'X'.repeat(120) })]) {
      expect(campaign.slug.length).toBeLessThanOrEqual(100)
      expect(campaign.titulo.length).toBeLessThanOrEqual(200)
      expect(campaign.subtitulo.length).toBeLessThanOrEqual(300)
      expect(campaign.sheetTab.length).toBeLessThanOrEqual(50)
      expect(campaign.ogTitle.length).toBeLessThanOrEqual(200)
      expect(campaign.ogDescription.length).toBeLessThanOrEqual(500)
    }
  })

  test('manifestos contain only closed tags without attributes', () => {
    for (const { manifestoHtml } of campaigns) {
      const tags = [...manifestoHtml.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
      expect(tags.filter((tag) => !/^<\/?(p|h2|h3|strong|em|ul|ol|li|blockquote)>$/.test(tag))).toEqual([])
      expect(tags.filter((tag) => tag.startsWith('</')).length).toBe(tags.length / 2)
    }
  })

  test('markup in a name is escaped in the manifesto', () => {
    const [, removal] = sampleCampaigns({ slug: 'x', nome: 'A & <b>B</b>' })

    expect(removal?.manifestoHtml).toContain('A &amp; &lt;b&gt;B&lt;/b&gt;')
  })
})

describe('sample contents', () => {
  test('there are ten in four categories, and every text fits its column', () => {
    expect(sampleContents).toHaveLength(10)
    expect(new Set(sampleContents.map(({ categoria }) => categoria)).size).toBe(4)
    for (const { titulo, categoria, descricao, imagem } of sampleContents) {
      expect(titulo.length).toBeLessThanOrEqual(200)
      expect(categoria.length).toBeLessThanOrEqual(50)
      expect(descricao).not.toBe('')
      expect(posters).toHaveProperty([imagem])
    }
  })

  test('no two posters share a composition', () => {
    expect(artes.length).toBe(sampleContents.length)
  })
})

function dataOf(image: Awaited<ReturnType<typeof encodeImage>>, format: string): Buffer {
  const found = image.formats.find((stored) => stored.format === format)
  if (!found) throw new Error(`no ${format}`)
  return found.bytes
}

/** Red, green and blue of every pixel, before the encoding. */
async function pixelsOf(fields: Partial<Poster>): Promise<Buffer> {
  return rawPixels(Buffer.from(await posterSvg(aPoster(fields))))
}

const rawPixels = (image: Buffer): Promise<Buffer> => sharp(image).removeAlpha().raw().toBuffer()

/** The bounding box of the pixels that differ between two images. */
function changedBox(before: Buffer, after: Buffer, tolerance = 64) {
  const box = { left: 1080, right: 0, top: 1350, bottom: 0 }
  for (let pixel = 0; pixel < 1080 * 1350; pixel++) {
    if (!differs(before, after, pixel * 3, tolerance)) continue
    const [x, y] = [pixel % 1080, Math.floor(pixel / 1080)]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  if (box.right === 0) throw new Error('nothing changed')
  return box
}

const differs = (before: Uint8Array, after: Uint8Array, at: number, tolerance: number) =>
  Math.abs((before[at] ?? 0) - (after[at] ?? 0)) >= tolerance ||
  Math.abs((before[at + 1] ?? 0) - (after[at + 1] ?? 0)) >= tolerance ||
  Math.abs((before[at + 2] ?? 0) - (after[at + 2] ?? 0)) >= tolerance
