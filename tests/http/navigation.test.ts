import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

test('the service worker is revalidated on every visit and may fetch only from the site', async () => {
  const answer = await fetch(`${site.url}/sw.js`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await answer.text()).toContain('mobiliza-1')
})

test('every page links its speculation rules, which exclude data and downloads', async () => {
  const page = await fetch(`${site.url}/metodologia`)
  const rules = await fetch(new URL(JSON.parse(String(page.headers.get('speculation-rules'))), site.url))
  expect(rules.headers.get('content-type')).toMatch(/^application\/speculationrules\+json/)
  const { prerender } = (await rules.json()) as { prerender: { eagerness: string; where: unknown }[] }
  expect(prerender.map(({ eagerness }) => eagerness)).toEqual(['conservative'])
  expect(JSON.stringify(prerender)).toContain('/api/*')
})
