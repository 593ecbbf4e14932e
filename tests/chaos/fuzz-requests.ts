// Random requests for every route of docs/routes.md: valid ones from the API description, then mutated.
import { readFileSync } from 'node:fs'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { flatPng } from '#tests/helpers/pictures.ts'
import type { Random } from '#tests/helpers/random.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
  format?: string
  contentMediaType?: string
}

interface Operation {
  parameters: { name: string; in: 'path' | 'query'; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
}

export interface Route {
  method: string
  path: string
  access: string
  operation: Operation | undefined
}

export interface FuzzRequest {
  method: string
  /** Path and query, possibly malformed. */
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** docs/routes.md is compared with the routes of the running site by `routes-doc`. */
export function readRoutes({ paths }: ApiDescription): Route[] {
  const table = readFileSync(new URL('../../docs/routes.md', import.meta.url), 'utf8')
  return [...table.matchAll(/^\| ([A-Z]+) \| `([^`]+)` \| (\w+)/gm)].map(([, method = '', path = '', access = '']) => ({
    ...{ method, path, access },
    operation: paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()],
  }))
}

const hostileTexts = [
  ...['', ' ', '0', '-1', '1.5', '1e309', '99999999999999999999', 'NaN', 'null', 'true', '[]', '{}'],
  ...[
    '%00',
    '\u0000',
    '\ud83d',
    '\udc00x',
    '\u202e',
    '\uffff',
    "' or 1=1 --",
    '"; drop table peticoes; --',
    '\\',
    '%_%',
  ],
  ...['../../etc/passwd', '..%2f', '<script>alert(1)</script>', '{{7*7}}', '=1+1', '__proto__', 'constructor'],
  ...['2026-02-31', '2026-02-31T25:61', '0000-00-00', '00000000-0000-0000-0000-000000000000', 'a'.repeat(300)],
  ...['é'.repeat(5_000), 'x'.repeat(70_000), '👩🏽‍🌾'.repeat(50), `a@${'b.'.repeat(200)}c`, '(11) 90000-0000'],
]

/** Values that pass the patterns of many fields. */
const plausibleTexts: [name: RegExp, values: string[]][] = [
  [/email/i, ['fulana@example.org', 'a+b@example.org']],
  [/estado|uf/i, ['SP', 'RJ']],
  [/slug|campanha/i, ['juros', 'brasilquerpaz', 'nova-campanha']],
  [/^(de|ate|desde|day|nascimento)$/i, ['2026-01-01', '2026-12-31']],
  [/quando|At$/, ['2099-01-01T10:00', '2026-01-01T10:00']],
  [/tipo/i, ['assinaturas', 'voluntarios', 'influenciadores', 'lideres']],
  [/token/i, ['A'.repeat(22), 'B'.repeat(43)]],
  [/id$|versao|filtro|nota|antes|depois|pagina|limite/i, ['1', '2', '3', '25', '99999999']],
  [/password|senha|current/i, ['uma-senha-bem-longa']],
  [/whatsapp|phone/i, ['11900000000']],
  [/^file$/, [`${'0'.repeat(64)}.webp`]],
]

const boundary = 'limite'

export function createRequests(random: Random, { tokens, secret }: { tokens(): string[]; secret: string }) {
  const pick = <T>(values: readonly T[]) => values[random.between(0, values.length - 1)] as T
  const chance = (oneIn: number) => random.between(1, oneIn) === 1

  function hostile(depth = 0): unknown {
    const kind = random.between(0, depth > 3 ? 4 : 8)
    if (kind === 0) return pick([null, true, false])
    if (kind === 1) return pick([0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308])
    if (kind < 5) return pick(hostileTexts)
    if (kind === 5) return Array.from({ length: pick([0, 1, 3, 500]) }, () => (chance(2) ? hostile(depth + 2) : 1))
    return Object.fromEntries(
      Array.from({ length: random.between(0, 4) }, () => [
        pick(['__proto__', 'constructor', 'id', 'titulo', '']),
        hostile(depth + 1),
      ]),
    )
  }

  function textFor(name: string): string {
    const known = plausibleTexts.find(([pattern]) => pattern.test(name))
    return known ? pick(known[1]) : pick(['Texto', 'Um texto mais longo, com acento.', '<p>Olá</p>'])
  }

  function valid(schema: JsonSchema, name: string): unknown {
    const choices = schema.anyOf ?? schema.allOf
    if (choices?.length) return valid(pick(choices), name)
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.type === 'object')
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, property]) => [key, valid(property, key)]),
      )
    if (schema.type === 'array')
      return Array.from({ length: random.between(0, 2) }, () => valid(schema.items ?? {}, name))
    if (schema.type === 'integer' || schema.type === 'number') return pick([schema.minimum ?? 1, 1, 2, 3])
    if (schema.type === 'boolean') return chance(2)
    if (schema.type === 'null') return null
    return textFor(name)
  }

  /** A form that is stored, unless it is mutated. */
  function validForm(path: string, schema: JsonSchema): unknown {
    if (/signatures|peticoes|abaixo-assinado/.test(path)) return aSignature()
    if (path === '/api/contacts') return aContact()
    if (path === '/api/lideres') return anInfluencer()
    if (path === '/api/formulario-lideres') return aLeader()
    return valid(schema, '')
  }

  /** Replaces, adds or drops fields at any depth. */
  function mutate(value: unknown): unknown {
    if (chance(8)) return hostile()
    if (Array.isArray(value)) return value.map((item) => (chance(2) ? mutate(item) : item))
    if (typeof value !== 'object' || value === null) return chance(2) ? hostile() : value
    const fields = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const fate = random.between(0, 5)
      if (fate === 0) return []
      if (fate === 1) return [[name, hostile()]]
      return [[name, fate === 2 ? mutate(field) : field]]
    })
    if (chance(5)) fields.push([pick(['__proto__', 'isActive', 'id', 'role', 'createdAt']), hostile()])
    return Object.fromEntries(fields)
  }

  function damage(bytes: Buffer): Buffer {
    if (bytes.length === 0) return bytes
    const fate = random.between(0, 4)
    if (fate === 0) return bytes.subarray(0, random.between(0, bytes.length))
    const damaged = Buffer.from(bytes)
    if (fate === 1)
      for (let n = 0; n < 5; n += 1) damaged[random.between(0, damaged.length - 1)] = random.between(0, 255)
    if (fate === 2) return Buffer.concat([damaged, damaged.subarray(0, 200)])
    if (fate === 3) return Buffer.concat([Buffer.from([0xff, 0xfe, 0xc3]), damaged])
    return damaged
  }

  const json = (value: unknown) => {
    if (chance(30))
      return Buffer.from(pick(['', '{', '[', '"', 'null', '['.repeat(20_000), '{"a":'.repeat(5_000), '\ufeff{}']))
    return Buffer.from(JSON.stringify(value) ?? '')
  }

  function form(value: unknown): Buffer {
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const text = new URLSearchParams(fields.map(([name, field]) => [name, String(field)])).toString()
    return Buffer.from(chance(5) ? `${text}&%zz=%ff&&=&a[b]=1&a=1&a=2` : text)
  }

  function multipart(value: unknown, fileField: string): Buffer {
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const file = pick([
      flatPng(8, 8),
      flatPng(8, 8).subarray(0, 40),
      Buffer.from('Nome;E-mail\nFulana;fulana@example.org\n'),
      Buffer.from('PK\u0003\u0004 xlsx?'),
      Buffer.alloc(0),
    ])
    const head = (disposition: string) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`)
    return Buffer.concat([
      ...fields
        .filter(([name]) => name !== fileField)
        .map(([name, field]) => Buffer.concat([head(`name="${name}"`), Buffer.from(`\r\n${String(field)}\r\n`)])),
      ...[head(`name="${fileField}"; filename="${pick(['a.png', 'a.csv', '../a', '\u0000'])}"`)],
      ...[Buffer.from(`Content-Type: ${pick(['image/png', 'text/csv', 'x'])}\r\n\r\n`), file, Buffer.from('\r\n')],
      Buffer.from(pick([`--${boundary}--\r\n`, `--${boundary}--\r\n`, `--${boundary}`, ''])),
    ])
  }

  function pathOf({ path, operation }: Route): string {
    const filled = path.replace('*', 'x').replace(/:(\w+)/g, (_, name: string) => {
      // The accounts that send the requests stay as they are.
      if (path.startsWith('/api/admin/equipe/')) return pick(['2', '3', '99999999', 'x'])
      const value = chance(4) ? pick(hostileTexts).slice(0, 2_000) : textFor(name)
      return chance(50) ? '%zz' : encodeURIComponent(value.toWellFormed())
    })
    const query = new URLSearchParams()
    for (const { name, in: place } of operation?.parameters ?? [])
      if (place === 'query' && chance(2))
        query.append(name, chance(3) ? pick(hostileTexts).slice(0, 3_000) : textFor(name))
    if (chance(10))
      query.append(pick(['de', 'obrigado', 'pagina', '__proto__', 'token']), pick(hostileTexts).slice(0, 500))
    const search = query.toString()
    return `${filled}${search && `?${search}`}${chance(40) ? pick(['?', '?%', '?a=%ff', '?a[]=1&a[]=2', '#x']) : ''}`
  }

  const contentTypes = [
    ...['application/json', 'application/json; charset=latin1', 'application/x-www-form-urlencoded', 'text/plain', ''],
    ...[`multipart/form-data; boundary=${boundary}`, 'multipart/form-data', 'multipart/form-data; boundary=', 'x/y; z'],
  ]
  const oddHeaders: [string, string[]][] = [
    ['accept-encoding', ['br', 'gzip;q=0', '*;q=x', 'identity;q=0']],
    ['content-encoding', ['gzip', 'br', 'x']],
    ['if-none-match', ['*', '"', 'W/"x"', '"a", "b"']],
    ['range', ['bytes=0-0', 'bytes=5-1', 'x']],
    ['origin', ['https://other.example', 'null', 'x']],
    ['x-request-id', ['x', '00000000-0000-4000-8000-000000000000']],
    ['accept-language', ['x'.repeat(2_000)]],
    ['x-por-si', ['1']],
    ['expect', ['100-continue']],
    ['sec-fetch-site', ['cross-site', 'x']],
  ]

  return function next(route: Route): FuzzRequest {
    const { method, access, operation } = route
    const headers: Record<string, string> = {
      // As if each request came from another client, so that limits by address hide nothing.
      'x-forwarded-for': `100.${random.between(64, 127)}.${random.between(0, 255)}.${random.between(1, 254)}`,
    }
    const token = pick([...tokens(), ...tokens(), '', 'garbage', 'C'.repeat(43)])
    if (access === 'administrator' && token) headers.authorization = `Bearer ${token}`
    else if (chance(20)) headers.authorization = pick(['Bearer', 'Basic x', `Bearer ${'x'.repeat(5_000)}`])
    if (access === 'webhook' && !chance(3)) headers['x-webhook-token'] = secret
    if (access === 'operator' && !chance(3)) headers.authorization = `Bearer ${secret}`
    if (chance(6)) {
      const [name, values] = pick(oddHeaders)
      headers[name] = pick(values)
    }
    const path = pathOf(route)
    if (method === 'GET' || (method === 'DELETE' && !chance(5))) return { method, path, headers, body: undefined }

    const [type = 'application/json', { schema } = { schema: {} }] =
      Object.entries(operation?.requestBody?.content ?? {})[0] ?? []
    const given = validForm(route.path, schema)
    const value = chance(4) ? given : mutate(given)
    const fileField = Object.entries(schema.properties ?? {}).find(([, { contentMediaType }]) => contentMediaType)?.[0]
    const isPage = !route.path.startsWith('/api/')
    const body = fileField ? multipart(value, fileField) : isPage || chance(8) ? form(value) : json(value)
    const usual = fileField
      ? `multipart/form-data; boundary=${boundary}`
      : isPage
        ? 'application/x-www-form-urlencoded'
        : type
    headers['content-type'] = chance(8) ? pick(contentTypes) : usual
    return { method, path, headers, body: chance(6) ? damage(body) : body }
  }
}
