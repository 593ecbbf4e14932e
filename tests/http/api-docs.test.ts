// The description of the API: a valid OpenAPI document with every route, and its page.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenApi, Operation } from '#server/features/api-docs/openapi.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const secret = 'segredo-do-webhook'
let site: TestSite
let openApi: OpenApi
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: secret })
  openApi = (await (await fetch(`${site.url}/api/openapi.json`)).json()) as OpenApi
})
afterAll(() => site.close())

const operationOf = (method: string, path: string) => openApi.paths[path]?.[method] as Operation
const bodyOf = (method: string, path: string) =>
  Object.values(operationOf(method, path).requestBody?.content ?? {})[0]?.schema

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(openApi) as Record<string, unknown>)
  expect(errors ?? []).toEqual([])
  expect([valid, openApi.openapi]).toEqual([true, '3.1.1'])
})

test('every route of the API is in the document, with its summary and its protection', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, security }]) => {
      expect(summary, path).toMatch(/\.$/)
      return `${method.toUpperCase()} ${path} ${Object.keys(security[0] ?? {}).join()}`
    }),
  )
  const mounted = site.app.policies
    .filter(({ method, url }) => method !== 'HEAD' && url.startsWith('/api/'))
    .map(({ method, url, access }) => {
      const isProtected = access === 'administrator' || access === 'webhook'
      return `${method} ${url.replace(/:(\w+)/g, '{$1}')} ${isProtected ? access : ''}`
    })
  expect(mounted.length).toBeGreaterThan(60)
  expect(described.sort()).toEqual(mounted.sort())
})

test('operation ids are unique', () => {
  const ids = Object.values(openApi.paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('a form states its fields with their limits and which of them are required', () => {
  const { properties, required } = bodyOf('post', '/api/peticoes') ?? {}
  expect(required).toEqual(['nome', 'email', 'whatsapp', 'cidade', 'estado'])
  expect(properties).toMatchObject({
    nome: { type: 'string', minLength: 3, maxLength: 200 },
    whatsapp: { type: 'string', minLength: 8, maxLength: 25 },
    estado: { type: 'string', enum: expect.arrayContaining(['AC', 'SP']) },
  })
  // A leader must accept the terms, although the checkbox itself may be absent.
  expect(bodyOf('post', '/api/formulario-lideres')?.required).toContain('aceita_termos')
  expect(bodyOf('post', '/api/webhook/botconversa')?.required).toEqual(['subscriberId'])
  expect(operationOf('post', '/api/admin/imagens').requestBody?.content).toHaveProperty(['multipart/form-data'])
})

test('parameters state where they are and whether they are required', () => {
  const { parameters } = operationOf('get', '/api/admin/pessoas/{tipo}/exportar')
  expect(parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`)).toEqual(
    expect.arrayContaining(['path tipo true', 'query formato true', 'query busca false']),
  )
})

test('the codes of refusals are listed', () => {
  expect(openApi.components.schemas.Refusal.properties?.code).toMatchObject({
    enum: expect.arrayContaining(['invalid', 'too-many', 'unexpected', 'campaign-not-found', 'link-expired']),
  })
})

test('the page shows every operation, without scripts and under a strict policy', async () => {
  const answer = await fetch(`${site.url}/api/docs`)
  const html = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
  expect(html).not.toContain('<script')
  expect(html).toContain('<code>nome</code> texto, de 3 até 200 caracteres</li>')
  expect(html).toContain('<code>redesSociais</code> texto, até 500 caracteres, ou null · opcional</li>')
  const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods))
  expect(operations.filter(({ operationId }) => !html.includes(`<article id="${operationId}">`))).toEqual([])
})

test('neither the document nor the page has a secret or a contact', async () => {
  const texts = [JSON.stringify(openApi), await (await fetch(`${site.url}/api/docs`)).text()]
  const contact = /[\w.-]+@\w+\.\w+|55\d{10}/
  expect(texts.map((text) => [text.includes(secret), contact.exec(text)?.[0]])).toEqual([
    [false, undefined],
    [false, undefined],
  ])
})
