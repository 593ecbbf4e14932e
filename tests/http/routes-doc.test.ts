import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeRoutes } from '#tests/helpers/route-table.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const file = new URL('../../docs/routes.md', import.meta.url)
const operatorToken = 'token-de-quem-opera'
let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ METRICS_TOKEN: operatorToken })
})
afterAll(() => site.close())

test('docs/routes.md lists the routes of the running site (UPDATE_DOCS=1 writes it)', async () => {
  const text = await describeRoutes(site, operatorToken)
  if (process.env.UPDATE_DOCS) writeFileSync(file, text)
  expect(readFileSync(file, 'utf8'), 'outdated: run this test with UPDATE_DOCS=1').toBe(text)
})
