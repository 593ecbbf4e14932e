// Shared links: rounded counts, share texts, image addresses, share cards and their cache.
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Campaign } from '#contract/campaigns.ts'
import { campaignImage, formatRoundedCount, roundedCount, shareText, shareUrl, urlFrom } from '#contract/share.ts'
import { breakLines } from '#server/adapters/share-card/headline.ts'
import { drawShareCard } from '#server/adapters/share-card/share-card.ts'
import { createLog } from '#server/core/log.ts'
import type { ShareCard } from '#server/core/share-card.ts'
import { createShareImages } from '#server/http/share-images.ts'
import { thankYou } from '#server/outbox/email/email-templates.ts'

const aCard = (fields: Partial<ShareCard> = {}): ShareCard => ({
  titulo: 'Ninguém acima da lei',
  tema: 'red',
  destaque: 'Mais de 18 mil assinaturas',
  chamada: 'Assine agora',
  movimento: 'Mobiliza',
  ...fields,
})

describe('the rounded count of a shared link', () => {
  test.each([
    [-5, 'Falta a sua assinatura'],
    [0, 'Falta a sua assinatura'],
    [100, 'Falta a sua assinatura'],
    [101, 'Mais de 100 assinaturas'],
    [110, 'Mais de 100 assinaturas'],
    [111, 'Mais de 110 assinaturas'],
    [999, 'Mais de 990 assinaturas'],
    [1_000, 'Mais de 990 assinaturas'],
    [1_001, 'Mais de mil assinaturas'],
    [1_245, 'Mais de 1.200 assinaturas'],
    [2_001, 'Mais de 2 mil assinaturas'],
    [10_000, 'Mais de 9.900 assinaturas'],
    [18_000, 'Mais de 17 mil assinaturas'],
    [18_245, 'Mais de 18 mil assinaturas'],
    [129_999, 'Mais de 120 mil assinaturas'],
    [1_000_001, 'Mais de 1 milhão de assinaturas'],
    [1_950_000, 'Mais de 1,9 milhão de assinaturas'],
    [2_345_678, 'Mais de 2,3 milhões de assinaturas'],
    [2_147_483_647, 'Mais de 2.100 milhões de assinaturas'],
  ])('%i is shown as "%s"', (count, text) => {
    expect(formatRoundedCount(count)).toBe(text)
  })

  test('there are always more signatures than it says, by at most a tenth', () => {
    for (let count = 101; count < 3_000_000; count += Math.ceil(count / 997)) {
      const rounded = roundedCount(count) ?? 0
      expect(count).toBeGreaterThan(rounded)
      expect(count - rounded).toBeLessThanOrEqual(rounded / 10)
    }
  })
})

describe('a share text', () => {
  test.each([
    ['Juros baixos já', 'Eu assinei: Juros baixos já. Assine também:'],
    ['Juros baixos já!', 'Eu assinei: Juros baixos já! Assine também:'],
    ['Por quê?', 'Eu assinei: Por quê? Assine também:'],
    ['Chega de “fila”.', 'Eu assinei: Chega de “fila”. Assine também:'],
    ['Ele disse: “chega!”', 'Eu assinei: Ele disse: “chega!” Assine também:'],
    ['E agora… ', 'Eu assinei: E agora… Assine também:'],
  ])('for %j has one punctuation mark after the title', (titulo, text) => {
    const campaign = {
      titulo,
      subtitulo: null,
      themeColor: 'red',
      countsWhenConfirmed: false,
      url: 'https://example.org/p/a',
    }
    const links = { confirmUrl: 'https://example.org/c', removeUrl: 'https://example.org/r' }
    const email = thankYou({ nome: 'Fulana', campaign, isConfirmed: false, ...links })
    const [shared] = email.blocks.flatMap((block) => (block.kind === 'whatsapp' ? [block.link.href] : []))
    expect(new URL(shared ?? '').searchParams.get('text')).toBe(`${text}\nhttps://example.org/p/a`)
  })
})

describe('the text of a shared petition', () => {
  const petition = { titulo: 'Juros baixos já', ogTitle: null, status: 'live', shareTexts: {} } as const

  test('is derived from the title', () => {
    expect(shareText(petition, 'whatsapp')).toBe('Juros baixos já. Assine também:')
    expect(shareText({ ...petition, ogTitle: 'Chega de juros!' }, 'twitter')).toBe('Chega de juros! Assine também:')
  })

  test('is the own text of the channel', () => {
    const own = { ...petition, shareTexts: { telegram: 'Vem assinar' } }
    expect(shareText(own, 'telegram')).toBe('Vem assinar')
    expect(shareText(own, 'whatsapp')).toBe('Juros baixos já. Assine também:')
  })

  test('asks nobody to sign a petition that is closed', () => {
    const shareTexts = { whatsapp: 'Assine comigo' }
    for (const status of ['closed', 'won'] as const)
      expect(shareText({ ...petition, status, shareTexts }, 'whatsapp')).toBe('Juros baixos já.')
  })

  test('is encoded into a link that says where it was shared', () => {
    const url = urlFrom('https://example.org/p/a', 'whatsapp')
    expect(shareUrl.whatsapp({ text: 'Assine & mande', url })).toBe(
      'https://wa.me/?text=Assine%20%26%20mande%0Ahttps%3A%2F%2Fexample.org%2Fp%2Fa%3Fde%3Dwhatsapp',
    )
  })
})

describe('the address of a share image', () => {
  const campaign: Campaign = {
    slug: 'exemplo',
    titulo: 'Exemplo',
    subtitulo: null,
    manifestoHtml: '',
    baseCount: 0,
    heroImageUrl: null,
    ogTitle: null,
    ogDescription: null,
    ogImageUrl: null,
    themeColor: 'red',
    versaoManifesto: 1,
    status: 'live',
    meta: null,
    countingMode: 'signed',
    resultHtml: null,
    shareTexts: {},
  }
  const site = { movimento: 'Mobiliza' }
  const address = (fields: Partial<Campaign>, count: number) =>
    campaignImage({ ...campaign, ...fields }, site, count).address

  test('stays while the image is the same, and changes with everything that the image shows', () => {
    expect(address({}, 18_999)).toBe(address({}, 18_001))
    const all = [
      address({}, 18_001),
      address({}, 19_001),
      address({ titulo: 'Exemplos' }, 18_001),
      address({ themeColor: 'green' }, 18_001),
      campaignImage(campaign, { movimento: 'Outro movimento' }, 18_001).address,
      campaignImage(campaign, { ...site, logo: '/media/logo.webp' }, 18_001).address,
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(all[0]).toMatch(/^\/imagens\/campanha\/exemplo\.png\?v=18000-[a-z0-9]+$/)
  })

  test("is the campaign's own image if its address is valid", () => {
    const own = 'https://example.org/propria.jpg'
    expect(campaignImage({ ...campaign, ogImageUrl: own }, site, 0)).toEqual({ address: own, alt: 'Exemplo' })
    expect(address({ ogImageUrl: 'https://[' }, 0)).toContain('/imagens/campanha/')
  })
})

describe('a share card', () => {
  const titles = [
    'Já!',
    'O Brasil quer paz',
    'Ação e união pela educação já '.repeat(7).slice(0, 200),
    'x'.repeat(200),
    '</script><script>alert(1)</script> & "aspas" <b>',
    '🚀🔥 \u202eTítulo\u202c com שלום e مرحبا \u200b👨‍👩‍👧',
    '🚀',
    '',
  ]
  test.each([...titles.entries()])('with title %i is a PNG of 1200 × 630 and at most 250 KB', async (_, titulo) => {
    const png = await drawShareCard(aCard({ titulo, destaque: 'Mais de 2.100 milhões de assinaturas' }))

    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    expect(png.length).toBeLessThanOrEqual(250 * 1024)
  })

  test('keeps any headline, name and motto inside the image', { tags: ['slow'] }, async () => {
    const blank = await pixels(aCard({ titulo: ' ', movimento: ' ' }))
    for (const titulo of titles.slice(0, 4)) {
      const box = changedBox(
        blank,
        await pixels(aCard({ titulo, movimento: 'Nome comprido de um movimento '.repeat(2) })),
      )
      expect([box.left >= 55, box.right <= 1150, box.top >= 30, box.bottom <= 605]).toEqual([true, true, true, true])
    }
    const motto = await pixels(
      aCard({ titulo: ' ', movimento: ' ', lema: 'Lema comprido sem fim '.repeat(8).slice(0, 160) }),
    )
    const box = changedBox(blank, motto)
    expect([box.left >= 55, box.right <= 860, box.top >= 500, box.bottom <= 620]).toEqual([true, true, true, true])
  })

  test('breaks its headline at the end of a clause', async () => {
    const lines = await breakLines('Ninguém acima da lei: não à PEC da Impunidade', { x: 0, y: 0, w: 1080, h: 326 })

    expect(lines).toEqual(['Ninguém acima da lei:', 'não à PEC da Impunidade'])
  })

  test('omits characters that the fonts do not have', async () => {
    const plain = await drawShareCard(aCard({ titulo: 'Paz já' }))

    expect((await drawShareCard(aCard({ titulo: 'Paz 🕊️\u202e já' }))).equals(plain)).toBe(true)
    expect((await drawShareCard(aCard({ titulo: 'Paz ja\u0301' }))).equals(plain)).toBe(true)
    expect((await drawShareCard(aCard({ titulo: 'Paz ja' }))).equals(plain)).toBe(false)
  })

  test('with a title that cannot be printed shows the name of the movement', async () => {
    const drawn = await drawShareCard(aCard({ titulo: '🚀' }))

    expect(drawn.equals(await drawShareCard(aCard({ titulo: 'Mobiliza' })))).toBe(true)
  })

  test('has a different background in every theme', { tags: ['slow'] }, async () => {
    const themes = ['red', 'yellow', 'green', 'ink'] as const
    const backgrounds = await Promise.all(
      themes.map(async (tema) => (await pixels(aCard({ tema }))).subarray(0, 3).toString('hex')),
    )
    expect(new Set(backgrounds).size).toBe(4)
  })
})

describe('the share image cache', () => {
  function createLoggedImages(maxPictures?: number) {
    const lines: { key: string; msg: string }[] = []
    const images = createShareImages(createLog('debug', { write: (line) => lines.push(JSON.parse(line)) }), maxPictures)
    return { images, events: () => lines.map(({ key, msg }) => `${key} ${msg.includes('drawn') ? 'ends' : 'begins'}`) }
  }

  test('draws an image once for concurrent requests, one image at a time, and again only when its text changes', {
    tags: ['slow'],
  }, async () => {
    const { images, events } = createLoggedImages()
    const requests = ['a', 'a', 'b', 'a', 'b'].map((key) => images.of(key, aCard({ titulo: key })))
    const [first, again] = await Promise.all(requests)
    await images.of('a', aCard({ titulo: 'a' }))
    const other = await images.of('a', aCard({ titulo: 'a mais' }))

    expect(again).toBe(first)
    expect(other.etag).not.toBe(first?.etag)
    expect(events()).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'a begins', 'a ends'])
  })

  test('removes the least recently used image first', { tags: ['slow'] }, async () => {
    const { images, events } = createLoggedImages(2)
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await images.of(key, aCard({ titulo: key }))

    expect(events().filter((event) => event.endsWith('begins'))).toEqual([
      'a begins',
      'b begins',
      'c begins',
      'b begins',
    ])
  })

  test('draws an image again after a failure, and still draws the next one', async () => {
    const { images } = createLoggedImages()
    const broken = aCard({ tema: 'nenhum' as 'red' })
    const [failed, good] = await Promise.allSettled([images.of('a', broken), images.of('b', aCard())])

    expect([failed.status, good.status]).toEqual(['rejected', 'fulfilled'])
    await expect(images.of('a', aCard())).resolves.toMatchObject({ etag: expect.any(String) })
  })
})

async function pixels(card: ShareCard): Promise<Buffer> {
  return sharp(await drawShareCard(card))
    .removeAlpha()
    .raw()
    .toBuffer()
}

/** The bounding box of the pixels that differ between two cards. */
function changedBox(before: Buffer, after: Buffer) {
  const box = { left: 1200, right: 0, top: 630, bottom: 0 }
  for (let pixel = 0; pixel < 1200 * 630; pixel++) {
    // Two palettes may round the same colour differently.
    const differs = (i: number) => Math.abs((before[pixel * 3 + i] ?? 0) - (after[pixel * 3 + i] ?? 0)) >= 64
    if (!differs(0) && !differs(1) && !differs(2)) continue
    const [x, y] = [pixel % 1200, Math.floor(pixel / 1200)]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  if (box.right === 0) throw new Error('nothing changed')
  return box
}
