// Metadata for sharing and search engines, checked in a browser: structured data, web app manifest, link preview.
import { expect, open, test } from '#tests/e2e/visitor.ts'

test('the home page has structured data, which the content security policy allows', { tag: '@quick' }, async ({
  page,
}) => {
  const violations: string[] = []
  await page.exposeFunction('recordViolation', (directive: string) => violations.push(directive))
  await page.addInitScript(() => {
    const { recordViolation } = window as unknown as { recordViolation(directive: string): void }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => recordViolation(violatedDirective))
  })
  await open(page, '/')
  const data = await page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((found) => found.map((script) => JSON.parse(script.textContent)))

  expect(data).toHaveLength(1)
  expect(data[0]['@graph'].map((entity: Record<string, string>) => entity['@type'])).toEqual([
    'Organization',
    'WebSite',
  ])
  expect(violations).toEqual([])
})

test('the site can be installed on a home screen', async ({ page }) => {
  await open(page, '/peticao')
  const session = await page.context().newCDPSession(page)
  const { url, errors } = await session.send('Page.getAppManifest')
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')

  expect(url).toMatch(/\/manifest\.webmanifest$/)
  expect(errors).toEqual([])
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

test('the preview image of a shared link can be loaded', async ({ page }) => {
  await page.goto('/peticao')
  const address = await page.locator('meta[property="og:image"]').getAttribute('content')
  const dimensions = await page.evaluate(
    async (path) => {
      const image = new Image()
      image.src = path
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    },
    new URL(String(address)).pathname,
  )

  expect(dimensions).toEqual([1200, 630])
})
