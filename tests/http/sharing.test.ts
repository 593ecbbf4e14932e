// Sharing and indexing: share images and tags, sitemap, robots.txt, manifest, icons, structured data.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultSite } from '#tests/helpers/default-site.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'
import { routes } from '#web/routes.tsx'

const publicUrl = 'https://mobiliza.example.org'
const hostileName = 'Movimento </script><script>alert(1)</script> "&"'

const hostileTitles = [
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)> & "aspas"',
  '🚀🔥 \u202eTítulo\u202c com שלום e مرحبا \u200b👨‍👩‍👧',
  'x'.repeat(200),
]

let site: TestSite
let hostileSite: TestSite
beforeAll(async () => {
  const file = join(temporaryFolder(), 'site.json')
  writeFileSync(file, JSON.stringify({ movimento: hostileName, lema: '🚀 \u202eLema <b>' }))
  site = await openTestSite({}, { periods: { refreshMs: 100 } })
  hostileSite = await openTestSite({ SITE_FILE: file })
  await addCampaign('exemplo')
  await addCampaign('contada')
  await addCampaign('lembrada')
  await addCampaign('uma-vez')
  await addCampaign('desligada')
  await addCampaign('propria', { ogImageUrl: '/media/propria.webp' })
  await addCampaign('impropria', { ogImageUrl: 'https://[nada' })
  for (const [i, titulo] of hostileTitles.entries()) await addCampaign(`hostil-${i}`, { titulo })
  await addCampaign('a'.repeat(100))
  await waitForRefresh()
})
afterAll(async () => {
  await site.close()
  await hostileSite.close()
})

async function addCampaign(slug: string, { titulo = 'Um exemplo', ogImageUrl = '' } = {}): Promise<void> {
  await site.rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "baseCount", "sheetTab", "ogImageUrl")
     values ($1, $2, '', 18245, 'exemplo', nullif($3, ''))`,
    [slug, titulo, ogImageUrl],
  )
}

/** Waits until a change is visible: counts, campaigns and pages are each refreshed ten times a second here. */
const waitForRefresh = () => new Promise((resolve) => setTimeout(resolve, 400))

const pageOf = async (slug: string) => (await site.app.inject(`/p/${slug}`)).payload

const drawings = () => site.logged().filter((line) => line.includes('share image drawn')).length

/** The content of a meta tag, unescaped. */
function meta(html: string, key: string): string | undefined {
  const content = new RegExp(`<meta (?:property|name)="${key}" content="([^"]*)">`).exec(html)?.[1]
  return content?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

const pathOf = (address: string | undefined) => String(address).replace(publicUrl, '')

describe('the share image of a campaign', () => {
  test('is 1200 × 630 and small, and the page has its size and alternative text', async () => {
    const html = await pageOf('exemplo')
    const address = meta(html, 'og:image')
    const answer = await site.app.inject(pathOf(address))

    expect(address).toMatch(/^https:\/\/mobiliza\.example\.org\/imagens\/campanha\/exemplo\.png\?v=18000-\w+$/)
    expect(meta(html, 'og:image:width')).toBe('1200')
    expect(meta(html, 'og:image:height')).toBe('630')
    expect(meta(html, 'og:image:type')).toBe('image/png')
    expect(meta(html, 'og:image:alt')).toBe('Mais de 18 mil assinaturas: Um exemplo')
    expect(meta(html, 'twitter:card')).toBe('summary_large_image')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/png')
    expect(answer.headers['cache-control']).toBe('public, max-age=3600, stale-if-error=86400')
    expect(answer.rawPayload.length).toBeLessThanOrEqual(250 * 1024)
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  })

  test('exists for every campaign of a new site', { tags: ['slow'] }, async () => {
    const campaigns = await site.rows(`select slug from campaigns where "sheetTab" <> 'exemplo'`)
    expect(campaigns).toHaveLength(5)
    for (const { slug } of campaigns) {
      const { rawPayload } = await site.app.inject(`/imagens/campanha/${slug}.png`)
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    }
  })

  test('is drawn once for concurrent requests and any query string', async () => {
    const before = drawings()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => site.app.inject(`/imagens/campanha/uma-vez.png?v=${i}`)),
    )

    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
    expect(drawings()).toBe(before + 1)
  })

  test('is not sent again to a client that has it', async () => {
    const url = '/imagens/campanha/juros.png'
    const { headers } = await site.app.inject(url)
    const again = await site.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    const head = await site.app.inject({ url, method: 'HEAD' })

    expect([again.statusCode, again.payload]).toEqual([304, ''])
    expect([head.statusCode, head.payload]).toEqual([200, ''])
  })

  test('has another address and content when the rounded count changes', async () => {
    const seen: { address: string | undefined; etag: unknown }[] = []
    for (const count of [18_245, 18_900, 19_001]) {
      await site.rows(`update campaigns set "baseCount" = $1 where slug = 'contada'`, [count])
      await waitForRefresh()
      const address = meta(await pageOf('contada'), 'og:image')
      seen.push({ address, etag: (await site.app.inject(pathOf(address))).headers.etag })
    }
    const [first, same, other] = seen

    expect(same).toEqual(first)
    expect(other?.address).toContain('?v=19000-')
    expect(other?.etag).not.toBe(first?.etag)
  })

  test('is still served while the database fails', async () => {
    const before = await site.app.inject('/imagens/campanha/lembrada.png')
    await site.rows('alter table campaigns rename to campaigns_away')
    try {
      await waitForRefresh()
      const later = await site.app.inject('/imagens/campanha/lembrada.png')
      const sitemap = await site.app.inject('/sitemap.xml')
      expect([later.statusCode, later.headers.etag]).toEqual([200, before.headers.etag])
      expect(sitemap.payload).toContain(`${publicUrl}/p/lembrada</loc>`)
    } finally {
      await site.rows('alter table campaigns_away rename to campaigns')
    }
  })

  test('is the campaign’s own image if it has one', async () => {
    const html = await pageOf('propria')
    expect(meta(html, 'og:image')).toBe(`${publicUrl}/media/propria.webp`)
    expect(meta(html, 'og:image:width')).toBeUndefined()
    expect(meta(html, 'og:image:alt')).toBe('Um exemplo')

    expect(meta(await pageOf('impropria'), 'og:image')).toContain('/imagens/campanha/impropria.png')
  })

  test.each(['nao-existe.png', 'juros.jpg', 'juros', '..%2Fjuros.png', `${'b'.repeat(100)}.png`, '__proto__.png'])(
    'is a 404 for %s',
    async (file) => {
      expect((await site.app.inject(`/imagens/campanha/${file}`)).statusCode).toBe(404)
    },
  )

  test('of an inactive campaign is a 404', async () => {
    await site.rows(`update campaigns set "isActive" = false where slug = 'desligada'`)
    await waitForRefresh()

    expect((await site.app.inject('/imagens/campanha/desligada.png')).statusCode).toBe(404)
    expect((await site.app.inject('/sitemap.xml')).payload).not.toContain('desligada')
  })

  test.each([...hostileTitles.entries()])('with hostile title %i is valid, and so is the page', async (i, titulo) => {
    const html = await pageOf(`hostil-${i}`)
    const { rawPayload } = await site.app.inject(pathOf(meta(html, 'og:image')))

    expect(meta(html, 'og:title')).toBe(`${titulo} | Mobiliza`)
    expect(meta(html, 'og:image:alt')).toBe(`Mais de 18 mil assinaturas: ${titulo}`)
    expect(html).not.toMatch(/<script>|<img src=x/)
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(rawPayload.length).toBeLessThanOrEqual(250 * 1024)
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  })
})

describe('the share image of the site', () => {
  test('is on the home page and on text pages', async () => {
    for (const path of ['/', '/privacidade', '/comunidade']) {
      const html = (await site.app.inject(path)).payload
      const { statusCode, rawPayload, headers } = await site.app.inject(pathOf(meta(html, 'og:image')))

      expect(meta(html, 'og:image:alt')).toBe(`Mobiliza: ${defaultSite.lema}`)
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
      expect(rawPayload.length).toBeLessThanOrEqual(250 * 1024)
      expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 })
    }
  })

  test('is valid with a hostile name and motto', async () => {
    const { rawPayload } = await hostileSite.app.inject('/imagens/site.png')
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 })
  })
})

describe('search engines', () => {
  test('find exactly the indexable pages in the sitemap, each once', async () => {
    const fixed = routes(defaultSite).map(({ path }) => path)
    const slugs = (await site.rows('select slug from campaigns where "isActive"')).map(({ slug }) => slug)
    const paths = fixed.flatMap((path) =>
      path.includes(':slug') ? slugs.map((slug) => path.replace(':slug', slug)) : [path],
    )
    const pages = await Promise.all(paths.map((path) => site.app.inject(path)))
    const indexable = pages
      .filter(({ statusCode, payload }) => statusCode === 200 && !meta(payload, 'robots'))
      .map(({ payload }) => /<link rel="canonical" href="([^"]+)">/.exec(payload)?.[1])

    const answer = await site.app.inject('/sitemap.xml')
    const listed = [...answer.payload.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address)

    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
    expect(listed.length).toBeGreaterThan(10)
    expect(listed.toSorted()).toEqual([...new Set(indexable)].toSorted())
    expect(listed).not.toContain(`${publicUrl}/obrigado-influenciadores`)
  })

  test('find the last change of each campaign in the sitemap', async () => {
    await site.rows(`update campaigns set "updatedAt" = '2026-02-03T04:05:06Z' where slug = 'fim-escala-6x1'`)
    const sitemap = async () => (await site.app.inject('/sitemap.xml')).payload
    await expect
      .poll(sitemap, { timeout: 5_000 })
      .toContain(`<loc>${publicUrl}/p/fim-escala-6x1</loc><lastmod>2026-02-03T04:05:06.000Z</lastmod>`)
    expect(await sitemap()).toContain(`<url><loc>${publicUrl}/privacidade</loc></url>`)
  })

  test('find one canonical page for a campaign with two addresses', async () => {
    for (const [path, canonical] of [
      ['/p/juros', '/peticao'],
      ['/p/cassacao-fulano', '/fulano-cassado'],
      ['/p/brasilquerpaz', '/brasilquerpaz'],
      ['/p/fim-escala-6x1', '/p/fim-escala-6x1'],
    ]) {
      const html = (await site.app.inject(String(path))).payload
      expect(html).toContain(`<link rel="canonical" href="${publicUrl}${canonical}">`)
      expect(meta(html, 'og:url')).toBe(`${publicUrl}${canonical}`)
    }
  })

  test('find the sitemap in robots.txt, which names nothing private', async () => {
    const answer = await site.app.inject('/robots.txt')

    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
    expect(answer.payload).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}/sitemap.xml\n`)
  })

  test('find structured data about the movement on the home page only', async () => {
    const scripts = (html: string) => [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const [found, ...more] = scripts((await site.app.inject('/')).payload)
    const [movement, website] = JSON.parse(found?.[1] ?? '')['@graph']

    expect(more).toEqual([])
    expect(movement).toMatchObject({ '@type': 'Organization', name: 'Mobiliza', url: `${publicUrl}/` })
    expect(movement.sameAs).toEqual(Object.values(defaultSite.perfis))
    expect(website).toMatchObject({ '@type': 'WebSite', inLanguage: 'pt-BR', publisher: { '@id': movement['@id'] } })
    expect((await site.app.inject(pathOf(movement.logo))).headers['content-type']).toBe('image/png')
    for (const path of ['/peticao', '/?obrigado', '/nada']) {
      expect(scripts((await site.app.inject(path)).payload)).toEqual([])
    }
  })

  test('read a hostile name as text', async () => {
    const { payload } = await hostileSite.app.inject('/')
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(payload) ?? []

    expect(JSON.parse(json)['@graph'][0].name).toBe(hostileName)
    expect(payload).not.toContain('<script>alert')
    expect(payload.match(/<script/g)).toHaveLength(3)
    expect(JSON.parse((await hostileSite.app.inject('/manifest.webmanifest')).payload).name).toBe(hostileName)
  })
})

describe('the home screen', () => {
  test('gets a manifest whose icons have the declared sizes and types', async () => {
    const html = (await site.app.inject('/peticao')).payload
    const answer = await site.app.inject('/manifest.webmanifest')
    const manifest = answer.json()

    expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest">')
    expect(answer.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
    expect(manifest).toMatchObject({ name: 'Mobiliza', short_name: 'Mobiliza', lang: 'pt-BR', start_url: '/' })
    const icons = manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`)
    expect(icons).toEqual(['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'])
    for (const { src, sizes, type, purpose } of manifest.icons) {
      const icon = await site.app.inject(src)
      const { width, height, hasAlpha } = await sharp(icon.rawPayload).metadata()
      expect(icon.headers['content-type']).toBe(type)
      expect(icon.headers['cache-control']).toBe('public, max-age=3600')
      expect(`${width}x${height}`).toBe(sizes)
      // Maskable icons are opaque, so that the mask shows no transparent edge.
      expect(hasAlpha).toBe(purpose === 'any')
    }
  })

  test('of an iPhone gets an opaque icon', async () => {
    expect((await site.app.inject('/')).payload).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png">')
    const { rawPayload } = await site.app.inject('/apple-touch-icon.png')
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 180, height: 180, hasAlpha: false })
  })
})

test('the petition page with its style sheet stays within 8 KB', async () => {
  const { rawPayload } = await site.app.inject({ url: '/peticao', headers: { 'accept-encoding': 'br' } })
  expect(rawPayload.length).toBeLessThanOrEqual(8_192)
})
