// Invalid requests get a Portuguese message and a 4xx: never a 5xx, a crash or internal details.
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enter } from '#tests/helpers/administrator.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { expectPortuguese } from '#tests/helpers/portuguese.ts'
import { seed } from '#tests/helpers/random.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

const json = { 'content-type': 'application/json' }
const post = (body: string | Uint8Array, headers: Record<string, string> = json) =>
  fetch(`${site.url}/api/peticoes`, { method: 'POST', headers, body: body as BodyInit })

async function expectRefusal(answer: Response, status: number, message?: string) {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toContain('application/json')
  const refusal = (await answer.json()) as { success: boolean; message: string }
  expect(refusal.success).toBe(false)
  expect(refusal.message).toMatch(message ? new RegExp(message) : /^[A-ZÀ-Ú].+[^\s]$/)
  expectPortuguese(JSON.stringify(refusal))
  expect(JSON.stringify(refusal)).not.toMatch(/node_modules|\bat \w+|FST_ERR|SyntaxError|Unexpected token/)
}

describe('bodies', () => {
  const bodies: [name: string, body: string | Uint8Array, status: number, headers?: Record<string, string>][] = [
    ['malformed JSON', '{"nome": "Fulano', 400],
    ['no JSON at all', 'nome=Fulano', 400],
    ['an empty body', '', 400],
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['a number', '42', 400],
    ['three megabytes', JSON.stringify({ nome: 'x'.repeat(3 * 1024 * 1024) }), 413],
    ['another content type', '<xml/>', 415, { 'content-type': 'application/xml' }],
    ['no content type', 'nome', 415, { 'content-type': '' }],
    ['a broken multipart', '--x', 415, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['__proto__', '{"__proto__": {"admin": true}}', 400],
    ['constructor.prototype', '{"constructor": {"prototype": {"admin": true}}}', 400],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 400],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
  ]
  test.each(bodies)('%s: a message and a 4xx', async (_, body, status, headers) => {
    await expectRefusal(await post(body, headers ?? json), status)
  })

  test('a form-encoded body is read like JSON', async () => {
    const answer = await post(
      new URLSearchParams({ ...aSignature() } as unknown as Record<string, string>).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    )
    expect(answer.status).toBe(201)
  })
})

describe('characters', () => {
  const texts: [name: string, text: string][] = [
    ['NUL', 'Fulano\u0000Silva'],
    ['a lone surrogate', 'Fulano \ud800 Silva'],
    ['an escape character', 'Fulano\u001b[31m'],
  ]
  test.each(texts)('%s is refused with a message', async (_, nome) => {
    const body = JSON.stringify({ ...aSignature(), nome })
    await expectRefusal(await post(body), 400, 'caracteres que não podem ser gravados')
  })

  test('accents, emoji and other scripts are kept as typed', async () => {
    const nome = 'Zé Conceição Ñandú 👩🏽‍🌾 李'
    expect((await post(JSON.stringify({ ...aSignature(), nome }))).status).toBe(201)
    expect(await site.rows('select nome from peticoes where nome = $1', [nome])).toHaveLength(1)
  })

  test('marks that reverse the text direction are removed from names', async () => {
    const signature = aSignature({ nome: 'Fulano\u202E Invertido' })
    expect((await post(JSON.stringify(signature))).status).toBe(201)
    expect(await site.rows('select nome from peticoes where email = $1', [signature.email])).toEqual([
      { nome: 'Fulano Invertido' },
    ])
  })
})

test('an address that cannot be stored does not affect other signatures', async () => {
  const hostile = Array.from({ length: 4 }, () => aSignature({ email: `${'İ'.repeat(200)}@example.org` }))
  const honest = Array.from({ length: 36 }, () => aSignature())
  const answers = await Promise.all(
    [...hostile, ...honest].map(async (body) => (await post(JSON.stringify(body))).status),
  )
  expect(answers.slice(0, 4)).toEqual([400, 400, 400, 400])
  expect(new Set(answers.slice(4))).toEqual(new Set([201]))
})

test('a honeypot filled with any type is answered with success and stores nothing', async () => {
  for (const honeypot of ['x', 1, ['x'], { a: 1 }, true]) {
    const signature = { ...aSignature(), honeypot }
    expect((await post(JSON.stringify(signature))).status).toBe(201)
    expect(await site.rows('select 1 from peticoes where email = $1', [signature.email])).toEqual([])
  }
})

describe('addresses', () => {
  test.each([
    '/api/nada',
    '/api',
    '/api/peticoes/count/x',
    '/media/x',
    '/media/..%2f..%2fetc%2fpasswd',
    '/assets/nada.js',
  ])('%s: JSON 404', async (path) => expectRefusal(await fetch(site.url + path), 404))

  test.each(['/%', '/%E0%A4%A', '/api/campaigns/%00', `/api/campaigns/${'a'.repeat(5_000)}`])(
    '%s: a 4xx without internal details',
    async (path) => {
      const answer = await fetch(site.url + path)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      const text = await answer.text()
      expect(text).not.toMatch(/node_modules|\bat \w+ \(|FST_ERR|is not a valid/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('a method that a path does not have is refused', async () => {
    await expectRefusal(await fetch(`${site.url}/api/peticoes`, { method: 'DELETE' }), 404)
  })

  test.each([
    ['bytes that are not HTTP', '\u0000\u0001 nada\r\n\r\n', 400],
    ['a malformed header', 'GET / HTTP/1.1\r\nHost: x\r\nsem dois pontos\r\n\r\n', 400],
    ['a wrong length', 'POST /api/peticoes HTTP/1.1\r\nHost: x\r\nContent-Length: muito\r\n\r\n', 400],
    [
      'a wrong chunk',
      'POST /api/peticoes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\n${'X-Longo: '.padEnd(20_000, 'a')}\r\n\r\n`, 431],
  ])('%s: a Portuguese answer, and the connection is closed', async (_, bytes, status) => {
    const answer = await exchange(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expectPortuguese(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect((await fetch(`${site.url}/saude`)).status).toBe(200)
  })
})

test('a request that does not end gets a Portuguese message', async () => {
  // The timeouts of the server, shortened for this test.
  const { requestTimeout, headersTimeout } = site.app.server
  Object.assign(site.app.server, { requestTimeout: 100, headersTimeout: 100 })
  try {
    const answer = await exchange(
      'POST /api/peticoes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
      'open',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expectPortuguese(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  } finally {
    Object.assign(site.app.server, { requestTimeout, headersTimeout })
  }
})

/** Sends bytes over a new connection; returns all received data when it is closed. */
function exchange(bytes: string, end?: 'open'): Promise<string> {
  const { port } = new URL(site.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => (end ? socket.write(bytes) : socket.end(bytes)))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

describe('every route, taken from the router', () => {
  const senders: [name: string, type: string, body: string | Uint8Array][] = [
    ['an empty object', 'application/json', '{}'],
    ['null', 'application/json', 'null'],
    ['a list', 'application/json', '[1]'],
    ['text', 'application/json', '"x"'],
    ['malformed JSON', 'application/json', '{"a": '],
    ['nothing', 'application/json', ''],
    ['__proto__', 'application/json', '{"__proto__": 1}'],
    ['wrong types', 'application/json', JSON.stringify(allFieldsWith(7))],
    ['objects for text', 'application/json', JSON.stringify(allFieldsWith({ a: 1 }))],
    ['lists for text', 'application/json', JSON.stringify(allFieldsWith([null]))],
    ['null for text', 'application/json', JSON.stringify(allFieldsWith(null))],
    ['long text', 'application/json', JSON.stringify(allFieldsWith('x'.repeat(1_000)))],
    ['a form', 'application/x-www-form-urlencoded', 'tasks=x&nome=&email=a&email=b'],
    ['a broken form', 'application/x-www-form-urlencoded', '%E0%A4%A=%'],
    ['broken multipart', 'multipart/form-data; boundary=x', '--x\r\nnada'],
    ['multipart without boundary', 'multipart/form-data', '--x--'],
    ['another type', 'application/xml', '<a/>'],
    ['no type', '', 'x'],
    ['an invalid type', 'nada', 'x'],
    ['too much', 'application/json', JSON.stringify({ nome: 'x'.repeat(70_000) })],
  ]
  // A GET has no body, so it is sent only once for each content type.
  const firstOfType = new Set(
    senders.filter(([, type], index) => senders.findIndex(([, other]) => other === type) === index),
  )
  test.each(senders.map((sender) => [...sender, firstOfType.has(sender)] as const))(
    'refuses %s in Portuguese',
    async (_, type, body, withGet) => {
      const { token } = await enter(site)
      const routes = site.app.policies.filter(
        ({ method, url }) => method !== 'HEAD' && (withGet || method !== 'GET') && !/logout|senha/.test(url),
      )
      const refused = new Set<string>()
      for (const { method, url, access } of routes) {
        for (const segment of ['1', 'x'.repeat(150), '%00']) {
          if (!url.includes(':') && segment !== '1') continue
          const { statusCode, headers, payload } = await site.app.inject({
            method: method as 'POST',
            url: `${url.replace(/:\w+/g, segment).replace('*', segment)}?limite=x&formato=x&estado=x&antes=x&tipo=x`,
            headers: { 'content-type': type, ...(access === 'administrator' && { authorization: `Bearer ${token}` }) },
            ...(method !== 'GET' && { payload: Buffer.from(body) }),
          })
          const description = `${method} ${url} ${segment.slice(0, 5)}: ${statusCode} ${payload.slice(0, 300)}`
          expect(statusCode, description).toBeLessThan(500)
          if (statusCode < 400) continue
          refused.add(`${method} ${url}`)
          if (String(headers['content-type']).startsWith('application/json')) expectPortuguese(payload, description)
          else expect(payload, description).toContain('<html lang="pt-BR"')
        }
      }
      // The set-up takes no fields, so it refuses none.
      const forms = routes.filter(
        ({ method, url, access }) => method !== 'GET' && access === 'anyone' && url !== '/api/admin/setup',
      )
      expect(forms.length).toBeGreaterThan(5)
      expect(forms.filter(({ method, url }) => !refused.has(`${method} ${url}`))).toEqual([])
    },
    120_000,
  )
})

/** All fields of all forms and calls, each with this value. */
function allFieldsWith(value: unknown): Record<string, unknown> {
  const fields = [
    ...[
      'nome',
      'name',
      'email',
      'whatsapp',
      'cidade',
      'estado',
      'redesSociais',
      'tasks',
      'cpf',
      'nascimento',
      'genero',
    ],
    ...[
      'profissao',
      'endereco',
      'cep',
      'experiencia',
      'motivacao',
      'disponibilidade',
      'redes_sociais',
      'aceita_termos',
    ],
    ...['aceitaNovidades', 'username', 'password', 'device', 'current', 'slug', 'titulo', 'manifestoHtml', 'sheetTab'],
    ...[
      'descricao',
      'categoria',
      'ordem',
      'ids',
      'isActive',
      'baseCount',
      'status',
      'updatedAt',
      'versao',
      'link',
      'tema',
    ],
    ...['ogImageUrl', 'heroImageUrl', 'subscriber_id', 'mensagem', 'tags', 'versaoManifesto', 'imagem', 'tipo'],
  ]
  return Object.fromEntries(fields.map((field) => [field, value]))
}

test('any input is answered with a 201 or a 4xx', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('\u0000', '\ud83d', "'; drop table peticoes; --", '{{x}}', 'x'.repeat(10_000), '%s%n', '../..'),
    fc.anything({ maxDepth: 3 }),
  )
  const fields = ['nome', 'email', 'whatsapp', 'cidade', 'estado', 'redesSociais', 'aceitaNovidades', 'honeypot', 'x']
  const body = fc.oneof(
    fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] }),
    fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] }).map((some) => ({
      ...aSignature(),
      ...some,
    })),
    fc.anything(),
  )
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const payload = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
      const { statusCode } = await site.app.inject({ method: 'POST', url: '/api/peticoes', headers: json, payload })
      return statusCode === 201 || (statusCode >= 400 && statusCode < 500)
    }),
    { numRuns: 1_500, seed },
  )
})
