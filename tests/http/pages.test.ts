// Server-rendered pages: forms without JavaScript, caching, compression and security headers.
import { hash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { conditionalReply, notModified } from '#tests/helpers/conditional-request.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(() => site.empty())

function postForm(fields: Record<string, string>) {
  return fetch(`${site.url}/peticao`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  })
}

describe('the petition page', () => {
  test('has headline, count, form, reasons and share links in its HTML', async () => {
    const html = await (await fetch(`${site.url}/peticao`)).text()

    expect(html).toMatch(/<html lang="pt-BR"/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toContain('18.245')
    expect(html).toContain('<form action="#assinar" method="post">')
    for (const name of ['nome', 'email', 'whatsapp', 'cidade', 'estado', 'redesSociais', 'honeypot']) {
      expect(html).toContain(`name="${name}"`)
    }
    expect(html.match(/<option/g)).toHaveLength(28)
    expect(html).toContain(`https://wa.me/?text=`)
    expect(html).toContain(encodeURIComponent('https://mobiliza.example.org/peticao'))
    expect(html).toContain('https://twitter.com/intent/tweet?text=')
    expect(html).toContain('Este site não utiliza cookies.')
    expect(html).toContain(`© ${new Date().getFullYear()}`)
  })

  test('has share tags', async () => {
    const html = await (await fetch(`${site.url}/peticao`)).text()
    expect(html).toContain('<meta property="og:url" content="https://mobiliza.example.org/peticao">')
    expect(html).toMatch(/<meta property="og:title" content="[^"]{10,}">/)
    expect(html).toMatch(/<meta property="og:description" content="[^"]{20,}">/)
    expect(html).toContain('<link rel="canonical" href="https://mobiliza.example.org/peticao">')
  })

  test('shows a new signature within two seconds', async () => {
    await site.app.inject({ method: 'POST', url: '/api/peticoes', payload: aSignature() })
    await expect.poll(async () => (await fetch(`${site.url}/peticao`)).text(), { timeout: 2_500 }).toContain('18.246')
  })
})

describe('a form sent without JavaScript', () => {
  test('signs and redirects to the thank-you view', async () => {
    const answer = await postForm({ ...aSignature(), honeypot: '', aceitaNovidades: 'on' } as unknown as Record<
      string,
      string
    >)

    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/peticao?obrigado')
    expect(await site.rows('select "aceitaNovidades" from peticoes')).toEqual([{ aceitaNovidades: true }])
    const thanks = await (await fetch(`${site.url}/peticao?obrigado`)).text()
    expect(thanks).toContain('Obrigado!')
    expect(thanks).toContain('Assinar novamente com outro e-mail')
    expect(thanks).toContain('<meta name="robots" content="noindex">')
  })

  test('thanks the first person without asking for a first signature', async () => {
    await site.empty()
    const html = await (await fetch(`${site.url}/p/fim-escala-6x1?obrigado`)).text()
    expect(html).toContain('1</span> <span class="counter-label">pessoa já assinou')
    expect(html).not.toContain('Seja a primeira pessoa a assinar')
  })

  test('is shown again with 422, messages at their fields, and the typed values', async () => {
    const typed = aSignature({ email: 'sem-arroba', cidade: '' })
    const answer = await postForm({ ...typed, redesSociais: '"><script>alert(1)</script>' } as unknown as Record<
      string,
      string
    >)
    const html = await answer.text()

    expect(answer.status).toBe(422)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(html).toMatch(/id="email-erro">Email inválido/)
    expect(html).toMatch(/id="cidade-erro">Cidade é obrigatória/)
    expect(html).toContain(`value="${typed.nome}"`)
    expect(html).toContain('value="sem-arroba"')
    expect(html).toMatch(/<option value="SP" selected/)
    expect(html).not.toContain('<script>alert')
    expect(await site.rows('select 1 from peticoes')).toEqual([])
  })

  test('with a filled honeypot is thanked and stores nothing', async () => {
    const answer = await postForm({ ...aSignature(), honeypot: 'robô' } as unknown as Record<string, string>)
    expect(answer.status).toBe(303)
    expect(await site.rows('select 1 from peticoes')).toEqual([])
  })

  test('works on every page with a signature form', async () => {
    for (const path of ['/fulano-cassado', '/brasilquerpaz', '/p/fim-escala-6x1', '/p/cassacao-fulano']) {
      const wrong = await site.app.inject({ method: 'POST', url: path, payload: { ...aSignature(), nome: 'x' } })
      expect(wrong.statusCode).toBe(422)
      const signed = await site.app.inject({ method: 'POST', url: path, payload: aSignature() })
      expect(signed.statusCode).toBe(303)
      expect(signed.headers.location).toBe(`${path}?obrigado`)
    }
    const counts = await site.rows(`select campanha, sum(n)::int as n from ${signatureCountsSql} group by 1 order by 1`)
    expect(counts).toEqual([
      { campanha: 'brasilquerpaz', n: 1 },
      { campanha: 'cassacao-fulano', n: 2 },
      { campanha: 'fim-escala-6x1', n: 1 },
    ])
  })

  test('with values that are not text is answered with a page', async () => {
    for (const nome of [{ toString: 1, valueOf: 1 }, ['a', 'b'], 7, null]) {
      const answer = await site.app.inject({ method: 'POST', url: '/peticao', payload: { ...aSignature(), nome } })
      expect(answer.statusCode).toBe(422)
      expect(answer.payload).toContain('Nome deve ter pelo menos 3 caracteres')
    }
  })

  test('in an unsupported format is answered with a page', async () => {
    const answer = await fetch(`${site.url}/peticao`, { method: 'POST', body: new FormData() })
    expect(answer.status).toBe(415)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await answer.text()).toContain('Formato de envio não aceito')
  })
})

describe('HTTP', () => {
  test('a page is compressed as the client accepts, and is the same page', async () => {
    const [br, gzip, plain] = await Promise.all(
      ['br', 'gzip', 'identity'].map((encoding) =>
        site.app.inject({ url: '/peticao', headers: { 'accept-encoding': encoding } }),
      ),
    )
    expect(br?.headers['content-encoding']).toBe('br')
    expect(gzip?.headers['content-encoding']).toBe('gzip')
    expect(plain?.headers['content-encoding']).toBeUndefined()
    expect(brotliDecompressSync(br?.rawPayload ?? Buffer.of()).toString()).toBe(plain?.payload)
    expect(plain?.headers.vary).toBe('Accept-Encoding')
  })

  test.each([
    ['gzip ; q=1.0 , br ;q=0', 'gzip'],
    ['  deflate,\tbr;q=0.5', 'br'],
    ['br;q=0.000, gzip; q=0', undefined],
    [`a${' '.repeat(8_000)}b`, undefined],
  ])('Accept-Encoding: %s', async (accepted, encoding) => {
    const { headers } = await site.app.inject({ url: '/peticao', headers: { 'accept-encoding': accepted } })
    expect(headers['content-encoding']).toBe(encoding)
  })

  test('a client that has the page gets 304', async () => {
    await expect.poll(() => conditionalReply(site, '/peticao')).toEqual(notModified)
  })

  test('weak ETags and lists of ETags are accepted', async () => {
    for (const tagOf of [(tag: string) => `W/${tag}`, (tag: string) => `"outra", ${tag}`, () => '*'])
      await expect.poll(() => conditionalReply(site, '/peticao', tagOf)).toEqual(notModified)
  })

  test('two renderings with the same content have the same ETag', async () => {
    const etagAfterAWhile = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      return (await site.app.inject({ url: '/peticao' })).headers.etag
    }
    // The count must settle first, because earlier signatures have just been deleted.
    const isSame = async () => {
      const [first, second] = [await etagAfterAWhile(), await etagAfterAWhile()]
      return first !== undefined && first === second
    }
    await expect.poll(isSame, { timeout: 20_000 }).toBe(true)
  })

  test('other spellings of the path give the same page', async () => {
    for (const url of ['/peticao/', '/%70eticao', 'http://evil.example/peticao']) {
      const isSame = async () =>
        (await site.app.inject({ url })).payload === (await site.app.inject('/peticao')).payload
      await expect.poll(isSame).toBe(true)
    }
    const posted = await site.app.inject({ method: 'POST', url: '/%70eticao/', payload: aSignature() })
    expect(posted.headers.location).toBe('/peticao?obrigado')
  })

  test('a client that has the count gets 304', async () => {
    await expect.poll(() => conditionalReply(site, '/api/peticoes/count')).toEqual(notModified)
  })

  test('query strings of trackers give the same page', async () => {
    const [plain, tracked] = await Promise.all([
      site.app.inject({ url: '/peticao' }),
      site.app.inject({ url: '/peticao?fbclid=abc&utm_source=x' }),
    ])
    expect(tracked.headers.etag).toBe(plain.headers.etag)
  })

  test('scripts and fonts may be cached forever', async () => {
    const html = await (await fetch(`${site.url}/peticao`)).text()
    const files = [...new Set([...html.matchAll(/\/assets\/[\w.-]+/g)].map(String))]
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => file.endsWith('.js'))).not.toEqual([])
    for (const file of files) {
      const answer = await fetch(site.url + file, { headers: { 'accept-encoding': 'br' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      if (file.endsWith('.js')) expect(answer.headers.get('content-encoding')).toBe('br')
    }
  })
})

describe('security headers', () => {
  test('the policy allows only the page’s own style sheet, our scripts and our images, and no framing', async () => {
    const answer = await fetch(`${site.url}/peticao`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const style = /<style>(.*?)<\/style>/s.exec(await answer.text())?.[1] ?? ''

    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
  })

  test.each(['/peticao', '/nada', '/api/peticoes/count', '/saude', '/favicon.svg'])(
    '%s sets no cookie',
    async (path) => {
      expect((await fetch(site.url + path)).headers.getSetCookie()).toEqual([])
    },
  )

  test('a hostile manifesto written directly into the database is sanitised', async () => {
    const hostile =
      '<p onclick="alert(1)">ok</p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>'
    await site.rows('update campaigns set "manifestoHtml" = $1 where slug = $2', [hostile, 'brasilquerpaz'])
    await expect
      .poll(async () => (await site.app.inject('/api/campaigns/brasilquerpaz')).json().campaign.manifestoHtml, {
        timeout: 2_500,
      })
      .toBe('<p>ok</p><a>x</a>')
  })
})

describe('other routes', () => {
  test('an unknown page is a page with status 404', async () => {
    const answer = await fetch(`${site.url}/nao-existe`)
    const html = await answer.text()
    expect(answer.status).toBe(404)
    expect(html).toContain('Página não encontrada')
    expect(html).toContain('<meta name="robots" content="noindex">')
  })

  test('an unknown campaign is a 404 page with a message and a link home', async () => {
    const answer = await fetch(`${site.url}/p/nao-existe`)
    const html = await answer.text()
    expect(answer.status).toBe(404)
    expect(html).toContain('Campanha não encontrada')
    expect(html).toContain('href="/"')
  })

  test('every stored campaign has a page with its own share tags and colour', async () => {
    const campaigns = await site.rows<{ slug: string; titulo: string; themeColor: string }>('select * from campaigns')
    expect(campaigns).toHaveLength(5)
    for (const { slug, titulo, themeColor } of campaigns) {
      const html = await (await fetch(`${site.url}/p/${slug}`)).text()
      expect(html).toContain(`<h1>${titulo}</h1>`)
      expect(html).toContain(`data-tema="${themeColor}"`)
      expect(html).toContain(encodeURIComponent(`https://mobiliza.example.org/p/${slug}`))
    }
  })

  test('the health checks answer', async () => {
    for (const path of ['/saude', '/saude/pronto']) {
      const answer = await fetch(site.url + path)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ success: true })
    }
  })

  test('sample posters are served as immutable images in every format', async () => {
    const contents = await site.rows<{ imagemUrl: string }>('select "imagemUrl" from carousel_contents order by ordem')
    expect(contents.length).toBeGreaterThanOrEqual(9)
    const url = String(contents[0]?.imagemUrl)
    for (const [file, type] of [
      [url, 'image/webp'],
      [url.replace('.webp', '.640.webp'), 'image/webp'],
      [url.replace('.webp', '.png'), 'image/png'],
    ]) {
      const answer = await fetch(site.url + file)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe(type)
      expect(answer.headers.get('cache-control')).toContain('immutable')
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    }
  })

  test('an image is a download with the requested name', async () => {
    const [{ imagemUrl = '' } = {}] = await site.rows<{ imagemUrl: string }>(
      'select "imagemUrl" from carousel_contents',
    )
    const png = imagemUrl.replace('.webp', '.png')
    expect((await fetch(site.url + png)).headers.get('content-disposition')).toBeNull()
    const answer = await fetch(`${site.url}${png}?baixar=Baixa_esse_juro_.png`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Baixa_esse_juro_.png"')
  })

  test.each([
    'baixar=',
    'baixar=a.exe',
    'baixar=..%2Fa.png',
    'baixar=a%22%3B%20x%3D.png',
    'baixar=a%0D%0ASet-Cookie%3A%20a%3Db.png',
    `baixar=${'a'.repeat(300)}.png`,
    'baixar=a.png&baixar=b.png',
    'baixar=%C3%A7.png',
  ])('a download name is refused: ?%s', async (query) => {
    const [{ imagemUrl = '' } = {}] = await site.rows<{ imagemUrl: string }>(
      'select "imagemUrl" from carousel_contents',
    )
    const answer = await fetch(`${site.url}${imagemUrl.replace('.webp', '.png')}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await answer.json()).toMatchObject({ success: false, message: expect.any(String) })
  })

  test('the five sample campaigns exist', async () => {
    const slugs = await site.rows('select slug from campaigns order by id')
    expect(slugs.map(({ slug }) => slug)).toEqual([
      'juros',
      'cassacao-fulano',
      'brasilquerpaz',
      'contra-pec-da-impunidade',
      'fim-escala-6x1',
    ])
  })
})

test.each([
  ['/peticao?obrigado', 'Vai chegar um e-mail para você confirmar a assinatura.'],
  ['/brasilquerpaz?obrigado', 'Vai chegar um e-mail para você confirmar a assinatura.'],
  ['/embed/juros?obrigado', 'Vai chegar um e-mail para você confirmar a assinatura.'],
  ['/?obrigado', 'Você também vai receber um e-mail de confirmação.'],
  ['/formulario-lideres?obrigado', 'Você também vai receber um e-mail de confirmação.'],
  ['/obrigado-influenciadores', 'Você também vai receber um e-mail de confirmação.'],
])('the thank-you view %s announces an e-mail, without JavaScript too', async (path, text) => {
  expect(await (await fetch(site.url + path)).text()).toContain(text)
})
