// Embeds for other sites: forms that may be framed, and the script that fits them in.
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { conditionalReply, notModified } from '#tests/helpers/conditional-request.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const policyOf = (headers: object) => String((headers as Record<string, unknown>)['content-security-policy'])
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }

test('the codes offer the active campaigns and select the one in the address', async () => {
  const codes = async (query = '') => (await fetch(`${site.url}/embed-codes${query}`)).text()
  const chosen = (html: string) => /<code>[^<]*data-campanha=&quot;([\w-]+)&quot;/.exec(html)?.[1]

  const html = await codes()
  expect(html.match(/<option value="[^"]+"/g)?.length).toBe(5)
  expect(chosen(html)).toBe('juros')
  expect(chosen(await codes('?campanha=fim-escala-6x1'))).toBe('fim-escala-6x1')
  for (const query of ['?campanha=', '?campanha=nao-existe', '?campanha=%22%3E%3Cscript%3E', '?campanha=a&campanha=b'])
    expect(chosen(await codes(query))).toBe('juros')

  await site.rows(`update campaigns set "isActive" = false where slug = 'juros'`)
  try {
    await expect.poll(async () => (await codes()).includes('<option value="juros"'), { timeout: 5_000 }).toBe(false)
    expect(chosen(await codes())).toMatch(/^(?!juros$)/)
  } finally {
    await site.rows(`update campaigns set "isActive" = true where slug = 'juros'`)
  }
  await expect.poll(async () => chosen(await codes()), { timeout: 5_000 }).toBe('juros')
})

describe('framing', () => {
  test.each(['/embed/juros', '/embed/juros?obrigado', '/embed/voluntarios', '/embed/nao-existe', '/embed/N%C3%83O'])(
    'any site may frame %s',
    async (url) => {
      const { headers, payload } = await site.app.inject({ url })
      expect(policyOf(headers)).toContain("default-src 'none'")
      expect(policyOf(headers)).not.toContain('frame-ancestors')
      expect(headers['x-frame-options']).toBeUndefined()
      expect(payload).toContain('/assets/entry-framed-')
    },
  )

  test('no site may frame other pages', async () => {
    const pages = [
      ...['/', '/peticao', '/p/juros', '/comunidade', '/embed-codes', '/teste-embed', '/privacidade'],
      ...['/embed', '/embed/juros/mais', '/nao-existe', '/p/nao-existe', '/api/peticoes/count', '/saude', '/embed.js'],
    ]
    for (const url of pages) {
      const { headers, payload } = await site.app.inject({ url })
      expect(policyOf(headers), url).toContain("frame-ancestors 'none'")
      expect(payload).not.toContain('entry-framed')
    }
  })

  test('only the pages that show our embeds may contain frames', async () => {
    for (const url of ['/embed-codes', '/teste-embed'])
      expect(policyOf((await site.app.inject({ url })).headers)).toContain("frame-src 'self';")
    expect(policyOf((await site.app.inject({ url: '/embed/juros' })).headers)).not.toContain('frame-src')
  })
})

describe('an embedded petition', () => {
  test('has title, count and form, and no header or footer of the site', async () => {
    const { payload } = await site.app.inject({ url: '/embed/juros' })
    expect(payload).toMatch(/<h1[^>]*>Solta o freio/)
    expect(payload).toContain('18.245')
    expect(payload).toContain('<form action="#assinar" method="post">')
    expect(payload).not.toMatch(/<header|<footer|floating-contact" href/)
  })

  test('opens links in a new tab', async () => {
    for (const url of ['/embed/juros', '/embed/juros?obrigado', '/embed/voluntarios', '/embed/nao-existe']) {
      const { payload } = await site.app.inject({ url })
      const outward = [...payload.matchAll(/<a [^>]*>/g)].map(String).filter((link) => !/href="[^"]*#/.test(link))
      expect(outward.length).toBeGreaterThan(0)
      expect(outward.filter((link) => !/target="_blank" rel="noopener/.test(link))).toEqual([])
    }
    expect((await site.app.inject({ url: '/peticao' })).payload).toContain('<a href="/privacidade">')
  })

  test.each([
    ['/embed/juros', '/peticao'],
    ['/embed/cassacao-fulano', '/fulano-cassado'],
    ['/embed/brasilquerpaz', '/brasilquerpaz'],
    ['/embed/fim-escala-6x1', '/p/fim-escala-6x1'],
    ['/embed/voluntarios', '/'],
  ])('%s is not indexed, and its canonical address is %s', async (url, home) => {
    const { payload } = await site.app.inject({ url })
    expect(payload).toContain('<meta name="robots" content="noindex">')
    expect(payload).toContain(`<link rel="canonical" href="https://mobiliza.example.org${home}">`)
  })

  test('may be cached for a second like every page', async () => {
    const first = await site.app.inject({ url: '/embed/juros' })
    expect(first.headers['cache-control']).toContain('public, max-age=1')
    await expect.poll(() => conditionalReply(site, '/embed/juros')).toEqual(notModified)
  })

  test('of an unknown campaign is a 404 inside the frame', async () => {
    const { statusCode, payload } = await site.app.inject({ url: '/embed/nao-existe' })
    expect(statusCode).toBe(404)
    expect(payload).toMatch(/<h1[^>]*>Campanha não encontrada/)
    expect(payload).not.toMatch(/<header|<footer/)
  })
})

describe('an embedded form sent without JavaScript', () => {
  const post = (url: string, fields: object) =>
    site.app.inject({
      method: 'POST',
      url,
      headers: asForm,
      payload: new URLSearchParams(fields as Record<string, string>).toString(),
    })

  test('signs, and shows the thanks inside the frame with share links of the campaign page', async () => {
    const signed = await post('/embed/fim-escala-6x1', aSignature())
    expect(signed.statusCode).toBe(303)
    expect(signed.headers.location).toBe('/embed/fim-escala-6x1?obrigado')
    expect(await site.rows('select campanha from peticoes')).toEqual([{ campanha: 'fim-escala-6x1' }])
    const { payload } = await site.app.inject({ url: '/embed/fim-escala-6x1?obrigado' })
    expect(payload).toContain('Obrigado! Sua voz conta')
    expect(payload).toContain(encodeURIComponent('https://mobiliza.example.org/p/fim-escala-6x1'))
    expect(payload).not.toContain(encodeURIComponent('/embed/'))
  })

  test('is shown again with 422, still framable, with the typed values', async () => {
    const typed = aSignature({ email: 'sem-arroba' })
    const { statusCode, payload, headers } = await post('/embed/juros', typed)
    expect(statusCode).toBe(422)
    expect(payload).toMatch(/id="email-erro">Email inválido/)
    expect(payload).toContain(`value="${typed.nome}"`)
    expect(policyOf(headers)).not.toContain('frame-ancestors')
    expect(headers['cache-control']).toBe('no-store')
    expect(await site.rows('select 1 from peticoes')).toEqual([])
  })

  test('signs up a volunteer', async () => {
    const wrong = await post('/embed/voluntarios', { ...aContact(), name: 'x' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.payload).toContain('Nome deve ter pelo menos 3 caracteres')
    const { statusCode, headers } = await post('/embed/voluntarios', aContact())
    expect(statusCode).toBe(303)
    expect(headers.location).toBe('/embed/voluntarios?obrigado=criadores')
    expect(await site.rows('select tasks from contacts')).toEqual([{ tasks: ['QUERO CRIAR CONTEÚDO'] }])
  })

  test.each([
    ['QUERO CRIAR CONTEÚDO', '?obrigado=criadores', 'grupo-criadores', 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO'],
    ['QUERO ESPALHAR CONTEÚDO NAS REDES', '?obrigado', 'grupo-geral', 'ENTRE NO GRUPO DO WHATSAPP'],
  ])('leads a volunteer to the group of the task: %s', async (task, view, group, label) => {
    for (const path of ['/', '/embed/voluntarios']) {
      const { headers } = await post(path, aContact({ tasks: [task] }))
      expect(headers.location).toBe(path + view)
      const { payload } = await site.app.inject({ url: path + view })
      expect(payload).toContain(label)
      expect(payload).toMatch(new RegExp(`<a class="[^"]*group-link" href="[^"]*${group}"`))
    }
  })

  test('shows the general thanks for an unknown view', async () => {
    const { payload } = await site.app.inject({ url: '/?obrigado=quem-sabe' })
    expect(payload).toContain('ENTRE NO GRUPO DO WHATSAPP')
    expect(payload).not.toContain('quem-sabe')
  })

  test('for an unknown campaign stores nothing and says so in the frame', async () => {
    const { statusCode, payload, headers } = await post('/embed/nao-existe', aSignature())
    expect(statusCode).toBe(404)
    expect(payload).toContain('Campanha não encontrada')
    expect(policyOf(headers)).not.toContain('frame-ancestors')
    expect(await site.rows('select 1 from peticoes')).toEqual([])
  })
})

describe('the embed script', () => {
  test('is small, cached for an hour, and loadable from any site', async () => {
    const { statusCode, headers, rawPayload } = await site.app.inject({
      url: '/embed.js',
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toMatch(/javascript/)
    expect(headers['cache-control']).toBe('public, max-age=3600')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(headers['content-encoding']).toBe('gzip')
    expect(rawPayload.length).toBeLessThan(1_500)
    expect(gunzipSync(rawPayload).toString()).toContain('document.currentScript')
  })

  test('is the only file with these headers', async () => {
    const { headers } = await site.app.inject({ url: '/favicon.svg' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the embed codes', () => {
  test('are complete without JavaScript, with the public address', async () => {
    const { payload } = await site.app.inject({ url: '/embed-codes' })
    const codes = [...payload.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs)].map(([, code]) => textOf(String(code)))
    expect(codes).toHaveLength(3)
    expect(codes[0]).toMatch(
      /^<iframe src="https:\/\/mobiliza\.example\.org\/embed\/voluntarios" title="[^"]+" width="100%"/,
    )
    expect(codes[1]).toMatch(/^<iframe src="https:\/\/mobiliza\.example\.org\/embed\/juros" title="[^"]+" width="100%"/)
    expect(codes[2]).toBe('<script src="https://mobiliza.example.org/embed.js" data-campanha="juros" async></script>')
    expect(payload).not.toContain('>Copiar<')
  })
})

function textOf(html: string): string {
  return html
    .replaceAll('<!-- -->', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
