import { expect, test } from '#tests/e2e/visitor.ts'

test.use({ expectedErrors: /status of (404|410)/ })

const paths = [
  '/metodologia',
  '/privacidade',
  '/nao-existe',
  '/p/nao-existe',
  '/confirmar/um-link-de-um-e-mail-22',
  '/nao-fui-eu/um-link-de-um-e-mail-22',
  '/descadastrar/um-link-de-um-e-mail-22',
]

for (const path of paths)
  test(`${path} loads no scripts, and its menu works`, async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    const answer = await page.goto(path, { waitUntil: 'networkidle' })
    expect(scripts).toEqual([])
    expect(await page.locator('script').count()).toBe(0)
    expect(await answer?.headerValue('content-security-policy')).not.toContain('script-src')

    const link = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Comunidade' })
    await expect(link).toBeHidden()
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await expect(page).toHaveURL(/\/comunidade$/)
  })
