// Public news of campaigns: the calls, the pages, the feed, the sitemap and the section on campaign pages.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillPath } from '#contract/endpoint.ts'
import { newsNotFound, newsPaths } from '#contract/news.ts'
import { addNews } from '#tests/helpers/stored-news.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const publicUrl = 'https://mobiliza.example.org'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({}, { periods: { refreshMs: 0 } })
})
afterAll(() => site.close())

let campaigns = 0
/** Campaigns of the tests, so that each one has only the news of its test. */
async function addCampaign({ isActive = true, status = 'live', titulo = 'Tarifa zero já' } = {}): Promise<string> {
  const slug = `com-novidades-${++campaigns}`
  await site.rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab", status, "isActive")
     values ($1, $2, '<p>Manifesto</p>', 'aba', $3, $4)`,
    [slug, titulo, status, isActive],
  )
  return slug
}

const listOf = (slug: string) => fillPath(newsPaths.list, { slug })
const itemOf = (slug: string, n: number) => fillPath(newsPaths.item, { slug, n: String(n) })
const feedOf = (slug: string) => fillPath(newsPaths.feed, { slug })

const get = (path: string) => site.app.inject(path)
const textOf = async (path: string) => (await get(path)).payload
const statusOf = async (path: string) => (await get(path)).statusCode

/** Caches are refreshed all the time, but the first replies may still be cached. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 })

function meta(html: string, key: string): string | undefined {
  const content = new RegExp(`<meta (?:property|name)="${key}" content="([^"]*)">`).exec(html)?.[1]
  return content?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

const tagsIn = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => value)

test('published news are listed with the beginning of their text, the newest first', async () => {
  const slug = await addCampaign()
  const words = 'palavra '.repeat(40).trim()
  const old = await addNews(site, { slug, titulo: 'A antiga', publishedAt: '2026-11-01T12:00:00Z' })
  const html = `<h2>Hoje &amp; agora</h2><p>Foi <strong>lindo</strong></p><p>${words}</p>`
  const latest = await addNews(site, { slug, titulo: 'A nova', html, publishedAt: '2026-11-03T02:30:00Z' })
  const same = await addNews(site, { slug, titulo: 'A outra', publishedAt: '2026-11-01T12:00:00Z' })
  await eventually(() => statusOf(itemOf(slug, latest.n))).toBe(200)

  const { novidades } = (await get(`/api/campaigns/${slug}/novidades`)).json()
  expect(novidades.map(({ titulo }: { titulo: string }) => titulo)).toEqual(['A nova', 'A outra', 'A antiga'])
  expect([old.n, latest.n, same.n]).toEqual([1, 2, 3])
  expect(novidades[0]).toMatchObject({ id: latest.id, n: 2, publicadaEm: '2026-11-03T02:30:00.000Z' })
  expect(novidades[0].resumo).toMatch(/^Hoje & agora Foi lindo (palavra )+palavra…$/)
  expect(novidades[0].resumo.length).toBeLessThanOrEqual(161)
  expect(novidades[0]).not.toHaveProperty('html')
})

test('drafts, scheduled news and news that are not for the page are nowhere', async () => {
  const slug = await addCampaign()
  const shown = await addNews(site, { slug, titulo: 'Publicada' })
  const hidden = [
    await addNews(site, { slug, titulo: 'Escondida A', status: 'draft' }),
    await addNews(site, { slug, titulo: 'Escondida B', status: 'scheduled' }),
    await addNews(site, { slug, titulo: 'Escondida C', onPage: false }),
  ]
  await eventually(() => statusOf(itemOf(slug, shown.n))).toBe(200)

  for (const { n } of hidden) {
    expect(await statusOf(itemOf(slug, n))).toBe(404)
    const refused = await get(`/api/campaigns/${slug}/novidades/${n}`)
    expect([refused.statusCode, refused.json()]).toMatchObject([404, { code: 'not-found', message: newsNotFound }])
  }
  for (const path of [`/p/${slug}`, listOf(slug), feedOf(slug), `/api/campaigns/${slug}/novidades`])
    expect(await textOf(path), path).not.toContain('Escondida')
  const sitemap = await textOf('/sitemap.xml')
  expect([1, 2, 3, 4].filter((n) => sitemap.includes(`${itemOf(slug, n)}<`))).toEqual([shown.n])
})

test.each(['nao-existe', 'Nao-Existe', '__proto__'])('news of the unknown campaign %s are a 404', async (slug) => {
  for (const path of [listOf(slug), itemOf(slug, 1), feedOf(slug)]) expect(await statusOf(path), path).toBe(404)
  expect((await get(`/api/campaigns/${slug}/novidades`)).json()).toMatchObject({ code: 'campaign-not-found' })
  expect(await statusOf(`/api/campaigns/${slug}/novidades/1`)).toBe(404)
})

test('the news of a campaign disappear while it is off the air', async () => {
  const slug = await addCampaign()
  await addNews(site, { slug, titulo: 'Some e volta' })
  await eventually(() => statusOf(itemOf(slug, 1))).toBe(200)
  await site.rows('update campaigns set "isActive" = false where slug = $1', [slug])

  for (const path of [listOf(slug), itemOf(slug, 1), feedOf(slug), `/api/campaigns/${slug}/novidades`])
    await eventually(() => statusOf(path)).toBe(404)
  await eventually(() => textOf('/sitemap.xml')).not.toContain(slug)
})

test.each(['0', '01', '-1', '1e3', 'abc', '99', '9999999'])('the number %s of no news item is a 404', async (n) => {
  const slug = await addCampaign()
  await addNews(site, { slug })
  await eventually(() => statusOf(itemOf(slug, 1))).toBe(200)
  expect(await statusOf(`/p/${slug}/novidades/${n}`)).toBe(404)
  expect(await statusOf(`/api/campaigns/${slug}/novidades/${n}`)).toBe(404)
})

test('a former address of the campaign redirects to the same news item, list and feed', async () => {
  const slug = await addCampaign()
  await addNews(site, { slug })
  await site.rows(`insert into campaign_old_slugs (slug, "campaignId") select $1, id from campaigns where slug = $2`, [
    `${slug}-antes`,
    slug,
  ])
  await eventually(() => statusOf(`/p/${slug}-antes`)).toBe(301)

  for (const [from, to] of [
    [listOf(`${slug}-antes`), listOf(slug)],
    [`${itemOf(`${slug}-antes`, 1)}?de=zap`, `${itemOf(slug, 1)}?de=zap`],
    [feedOf(`${slug}-antes`), feedOf(slug)],
  ] as const) {
    const answer = await get(from)
    expect([answer.statusCode, answer.headers.location]).toEqual([301, to])
    expect(answer.headers['cache-control']).toBe('public, max-age=60')
  }
  expect((await get(`/api/campaigns/${slug}-antes/novidades`)).json().novidades).toHaveLength(1)
})

test('a news item has a page with its text, its day in Brazil and links that carry its origin', async () => {
  const slug = await addCampaign()
  const html =
    '<p>Leia <a href="/peticao?x=1&amp;y=2#assinar">a outra</a>, <a href="https://mobiliza.example.org/p/a?de=zap">b</a>, ' +
    '<a href="https://example.com/">fora</a>, <a href="/media/a.webp">arquivo</a><script>alert(1)</script></p>' +
    '<p onclick="alert(2)"><a href="javascript:alert(3)">c</a></p>'
  const { id, n } = await addNews(site, { slug, titulo: 'Lotamos a praça', html, publishedAt: '2026-11-03T02:30:00Z' })
  await eventually(() => statusOf(itemOf(slug, n))).toBe(200)
  const answer = await get(itemOf(slug, n))
  const page = answer.payload

  expect(page.match(/<h1/g)).toHaveLength(1)
  expect(page).toContain('<time dateTime="2026-11-03T02:30:00.000Z">2 de novembro de 2026</time>')
  expect(page).toContain(`href="/p/${slug}?de=novidade-${id}#assinar"`)
  expect(page).toContain(`href="/peticao?x=1&amp;y=2&amp;de=novidade-${id}#assinar"`)
  expect(page).toContain('href="https://mobiliza.example.org/p/a?de=zap"')
  expect(page).toContain('href="https://example.com/"')
  expect(page).toContain('href="/media/a.webp"')
  expect(page).not.toMatch(/alert\(|onclick/)
  expect(page).toContain(encodeURIComponent(`${publicUrl}${itemOf(slug, n)}?de=whatsapp`))
  // Without scripts, and nothing may run one.
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toContain('<script type="application/ld+json">')
  expect(answer.headers['content-security-policy']).not.toContain('script-src')
  expect(answer.headers['cache-control']).toBe('public, max-age=1, stale-if-error=86400')
  expect((await get(`/api/campaigns/${slug}/novidades/${n}`)).json().novidade.html).not.toContain('script')
})

test('a campaign that is over is shown, not offered for signing', async () => {
  const slug = await addCampaign({ status: 'won' })
  const { id, n } = await addNews(site, { slug })
  await eventually(() => statusOf(itemOf(slug, n))).toBe(200)
  const page = await textOf(itemOf(slug, n))
  expect(page).toContain(`href="/p/${slug}?de=novidade-${id}">Ver a campanha`)
  expect(page).not.toContain('#assinar"')
})

test('news link to the newer and the older item', async () => {
  const slug = await addCampaign()
  for (const day of ['01', '02', '03'])
    await addNews(site, { slug, titulo: `Dia ${day}`, publishedAt: `2026-11-${day}T12:00:00Z` })
  await eventually(() => textOf(listOf(slug))).toContain('Dia 03')

  const linksOf = async (n: number) =>
    [...(await textOf(itemOf(slug, n))).matchAll(/<a href="[^"]*\/(\d+)" rel="(\w+)">/g)].map(([, to, rel]) => [
      rel,
      to,
    ])
  expect(await linksOf(1)).toEqual([['next', '2']])
  expect(await linksOf(2)).toEqual([
    ['next', '3'],
    ['prev', '1'],
  ])
  expect(await linksOf(3)).toEqual([['prev', '2']])
})

test('a news item has tags for shared links, search engines and feed readers', async () => {
  const slug = await addCampaign()
  const publishedAt = '2026-11-03T12:00:00.000Z'
  const { n } = await addNews(site, { slug, titulo: 'Um "título" </script>', html: '<p>O texto.</p>', publishedAt })
  await eventually(() => statusOf(itemOf(slug, n))).toBe(200)
  const page = await textOf(itemOf(slug, n))

  expect(meta(page, 'og:type')).toBe('article')
  expect(meta(page, 'og:title')).toBe('Um "título" &lt;/script&gt; | Mobiliza')
  expect(meta(page, 'og:description')).toBe('O texto.')
  expect(meta(page, 'article:published_time')).toBe(publishedAt)
  expect(meta(page, 'og:image')).toContain(`/imagens/campanha/${slug}.png?v=`)
  expect(meta(page, 'og:url')).toBe(publicUrl + itemOf(slug, n))
  expect(page).toContain(`<link rel="canonical" href="${publicUrl}${itemOf(slug, n)}">`)
  expect(page).toContain('<link rel="alternate" type="application/atom+xml" title="Novidades: Tarifa zero já"')
  expect(page).toContain(`href="${feedOf(slug)}">`)
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'NewsArticle',
    headline: 'Um "título" </script>',
    datePublished: publishedAt,
    mainEntityOfPage: publicUrl + itemOf(slug, n),
    publisher: { name: 'Mobiliza' },
  })
})

test('the image of a news item is on its page with its size, and shared as a JPEG', async () => {
  const slug = await addCampaign()
  const sha256 = 'a'.repeat(64)
  const png = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#c4122f' } })
    .png()
    .toBuffer()
  await site.rows(
    `insert into media (sha256, format, "contentType", width, height, bytes)
     select $1, format, 'image/' || format, 900, 500, decode($2, 'hex') from unnest(array['png', 'webp']) format`,
    [sha256, png.toString('hex')],
  )
  const { n } = await addNews(site, { slug, imagem: `/media/${sha256}.webp` })
  await eventually(() => statusOf(itemOf(slug, n))).toBe(200)
  const page = await textOf(itemOf(slug, n))

  expect(page).toContain(`src="/media/${sha256}.webp"`)
  expect(page).toContain('width="900" height="500"')
  expect(meta(page, 'og:image')).toBe(`${publicUrl}/media/${sha256}.og.jpg`)
  expect(meta(page, 'og:image:type')).toBe('image/jpeg')
  const shared = await get(`/media/${sha256}.og.jpg`)
  expect(await sharp(shared.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  expect(await textOf(feedOf(slug))).toContain(`src=&quot;${publicUrl}/media/${sha256}.webp&quot;`)
})

test('a campaign without news has an empty list that search engines omit, and no section', async () => {
  const slug = await addCampaign()
  await eventually(() => statusOf(listOf(slug))).toBe(200)
  const page = await textOf(listOf(slug))
  expect(page).toContain('Ainda não há novidades por aqui.')
  expect(page).toContain(`href="/p/${slug}#assinar"`)
  expect(meta(page, 'robots')).toBe('noindex')
  expect(await textOf('/sitemap.xml')).not.toContain(listOf(slug))
  expect(await textOf(`/p/${slug}`)).toContain('<div class="petition-news"></div>')
  const feed = await textOf(feedOf(slug))
  expect(feed).not.toContain('<entry>')
  expect(tagsIn(feed, 'updated')).toHaveLength(1)
})

test('a campaign page shows its three newest news after the other sections, outside its scripts and state', async () => {
  for (const day of ['01', '02', '03', '04'])
    await addNews(site, { slug: 'juros', titulo: `Juros do dia ${day}`, publishedAt: `2026-11-${day}T12:00:00Z` })
  await eventually(() => textOf('/peticao')).toContain('Juros do dia 04')
  const page = await textOf('/peticao')
  const [html = '', state = ''] = page.split('<script id="estado-da-pagina"')

  expect([...html.matchAll(/Juros do dia (\d\d)/g)].map(([, day]) => day)).toEqual(['04', '03', '02'])
  expect(html.indexOf('Juros do dia 04')).toBeGreaterThan(html.indexOf('Espalhe a petição'))
  expect(html).toContain('href="/p/juros/novidades">Todas as novidades')
  expect(html).toContain('4 de novembro de 2026')
  expect(state).not.toContain('Juros do dia')
  expect((await textOf('/embed/juros')).includes('Juros do dia')).toBe(false)
  // The links of the list lead back to the page of the petition.
  expect(await textOf('/p/juros/novidades')).toContain('href="/peticao#assinar"')
  await site.rows('delete from news where title like $1', ['Juros do dia%'])
})

test('a petition with three news of long titles stays within 8 KB', async () => {
  const words =
    'Assembleia popular reúne milhares contra juros altos: próximos atos, caravanas e mobilização nas capitais'
  for (const n of [1, 2, 3]) await addNews(site, { slug: 'juros', titulo: `${n} ${words}` })
  await eventually(() => textOf('/peticao')).toContain(`3 ${words}`)
  const { rawPayload } = await site.app.inject({ url: '/peticao', headers: { 'accept-encoding': 'br' } })
  expect(rawPayload.length).toBeLessThanOrEqual(8_192)
  await site.rows('delete from news where title like $1', [`%${words}`])
})

test('the sitemap has the list and each news item with its last change', async () => {
  const slug = await addCampaign()
  for (const publishedAt of ['2026-11-01T12:00:00Z', '2026-11-02T12:00:00Z']) await addNews(site, { slug, publishedAt })
  await site.rows(
    `update news set "updatedAt" = case number when 1 then '2026-11-05T12:00:00Z' else '2026-11-02T12:00:00Z' end::timestamptz
     where "campaignId" = (select id from campaigns where slug = $1)`,
    [slug],
  )
  await eventually(() => textOf('/sitemap.xml')).toContain(
    `<loc>${publicUrl}${listOf(slug)}</loc><lastmod>2026-11-05T12:00:00.000Z</lastmod>`,
  )
  const sitemap = await textOf('/sitemap.xml')
  expect(sitemap).toContain(`<loc>${publicUrl}${itemOf(slug, 1)}</loc><lastmod>2026-11-05T12:00:00.000Z</lastmod>`)
  expect(sitemap).toContain(`<loc>${publicUrl}${itemOf(slug, 2)}</loc><lastmod>2026-11-02T12:00:00.000Z</lastmod>`)
})

test('the feed has the newest 20 news with stable ids, absolute links and escaped HTML', async () => {
  const slug = await addCampaign({ titulo: 'Pão & "rosas" <já>' })
  const ids: number[] = []
  for (let day = 1; day <= 21; day++) {
    const publishedAt = `2026-10-${String(day).padStart(2, '0')}T12:00:00.000Z`
    const titulo = `Dia ${day} \u0007<b>&`
    const html = `<p>Veja <a href="/p/${slug}">aqui</a> <img src="/media/${'b'.repeat(64)}.webp" alt="Foto"></p>`
    ids.push((await addNews(site, { slug, titulo, html, publishedAt })).id)
  }
  await site.rows(`update news set "updatedAt" = "publishedAt" where id = any($1)`, [ids])
  await site.rows(`update news set "updatedAt" = '2026-11-09T12:00:00Z' where id = $1`, [ids[10]])
  await eventually(() => textOf(feedOf(slug))).toContain('Dia 21')
  await eventually(() => textOf(feedOf(slug))).toContain('<updated>2026-11-09T12:00:00.000Z')
  const answer = await get(feedOf(slug))
  const feed = answer.payload
  const [{ id } = { id: 0 }] = await site.rows<{ id: number }>('select id::int from campaigns where slug = $1', [slug])

  expect(answer.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('public, max-age=300')
  expect(answer.headers.etag).toBeTruthy()
  expect(tagsIn(feed, 'title')[0]).toBe('Novidades: Pão &amp; &quot;rosas&quot; &lt;já&gt;')
  expect(tagsIn(feed, 'title')[1]).toBe('Dia 21 &lt;b&gt;&amp;')
  expect(tagsIn(feed, 'id')).toEqual([
    `tag:mobiliza.example.org,2026:campanha-${id}`,
    ...ids
      .slice(1)
      .toReversed()
      .map((each) => `tag:mobiliza.example.org,2026:novidade-${each}`),
  ])
  expect(tagsIn(feed, 'updated')[0]).toBe('2026-11-09T12:00:00.000Z')
  expect(tagsIn(feed, 'published')[0]).toBe('2026-10-21T12:00:00.000Z')
  expect(feed).toContain(`<link rel="self" type="application/atom+xml" href="${publicUrl}${feedOf(slug)}"/>`)
  expect(feed).toContain(`<link rel="alternate" type="text/html" href="${publicUrl}${itemOf(slug, 21)}"/>`)
  expect(feed).toContain('<author><name>Mobiliza</name></author>')
  expect(feed).toContain(`href=&quot;${publicUrl}/p/${slug}?de=novidade-${ids.at(-1)}&quot;`)
  expect(feed).toContain(`src=&quot;${publicUrl}/media/${'b'.repeat(64)}.webp&quot;`)
  expect(feed).not.toContain('\u0007')
})

test('an edit of the text is shown, and so is a news item that is taken off the page', async () => {
  const slug = await addCampaign()
  const { id, n } = await addNews(site, { slug, html: '<p>O texto de antes.</p>' })
  await eventually(() => textOf(itemOf(slug, n))).toContain('O texto de antes.')
  await site.rows(`update news set html = '<p>O texto de agora.</p>', revision = revision + 1 where id = $1`, [id])
  await eventually(() => textOf(itemOf(slug, n))).toContain('O texto de agora.')
  await eventually(() => textOf(listOf(slug))).toContain('O texto de agora.')
  await site.rows(`update news set "onPage" = false where id = $1`, [id])
  await eventually(() => statusOf(itemOf(slug, n))).toBe(404)
})

test('news are served while the database fails', async () => {
  const slug = await addCampaign()
  const { n } = await addNews(site, { slug, titulo: 'Guardada' })
  await eventually(() => textOf(itemOf(slug, n))).toContain('Guardada')
  expect(await textOf(listOf(slug))).toContain('Guardada')
  await site.rows('alter table news rename to news_away')
  try {
    expect(await textOf(itemOf(slug, n))).toContain('Guardada')
    expect(await textOf(listOf(slug))).toContain('Guardada')
    expect(await textOf(feedOf(slug))).toContain('Guardada')
    expect(await statusOf(`/p/${slug}`)).toBe(200)
  } finally {
    await site.rows('alter table news_away rename to news')
  }
})
