// Being shared and found, as a browser sees it: data blocks that the policy lets be, a manifest that can be installed.
import { expect, open, test } from '#tests/e2e/visitor.ts'

test('the home page tells who the movement is, and the policy has nothing against it', { tag: '@quick' }, async ({
  page,
}) => {
  const refused: string[] = []
  await page.exposeFunction('refuse', (directive: string) => refused.push(directive))
  await page.addInitScript(() => {
    const { refuse } = window as unknown as { refuse(directive: string): void }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => refuse(violatedDirective))
  })
  await open(page, '/')
  const data = await page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((found) => found.map((script) => JSON.parse(script.textContent)))

  expect(data).toHaveLength(1)
  expect(data[0]['@graph'].map((thing: Record<string, string>) => thing['@type'])).toEqual(['Organization', 'WebSite'])
  expect(refused).toEqual([])
})

test('the site can be put on a home screen', async ({ page }) => {
  await open(page, '/peticao')
  const session = await page.context().newCDPSession(page)
  const { url, errors } = await session.send('Page.getAppManifest')
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')

  expect(url).toMatch(/\/manifest\.webmanifest$/)
  expect(errors).toEqual([])
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

test('the picture of a shared link can be seen', async ({ page }) => {
  await page.goto('/peticao')
  const address = await page.locator('meta[property="og:image"]').getAttribute('content')
  const seen = await page.evaluate(
    async (path) => {
      const image = new Image()
      image.src = path
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    },
    new URL(String(address)).pathname,
  )

  expect(seen).toEqual([1200, 630])
})
