// The community page and its external form.
import { expect, expectNoHorizontalScroll, open, takeScreenshot, test } from '#tests/e2e/visitor.ts'

const link = { name: 'abrir o formulário em uma nova aba' }
const button = { name: 'Abrir o formulário aqui' }
const form = 'https://example.org/formulario-comunidade'

test('the figures and the link to the form are displayed without external requests', { tag: '@quick' }, async ({
  page,
}) => {
  await open(page, '/comunidade')
  for (const figure of ['53.011+', '54.292+', '1.097+']) await expect(page.getByText(figure)).toBeVisible()
  await expect(page.getByText('Números informados pela coordenação do movimento.')).toBeVisible()
  await expect(page.getByRole('link', link)).toHaveAttribute('href', form)
  await expect(page.getByRole('link', link)).toHaveAttribute('target', '_blank')
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('only the community page may frame the external form', async ({ request }) => {
  const policyOf = async (path: string) => (await request.get(path)).headers()['content-security-policy'] ?? ''
  expect(await policyOf('/comunidade')).toContain('frame-src https://example.org;')
  expect(await policyOf('/metodologia')).not.toContain('frame-src')
})

test.describe('with the outside service', () => {
  test.use({ expectedErrors: /request to https:\/\/example\.org\/formulario-comunidade/ })

  test('the form opens on the page on request', async ({ page }) => {
    await page.route(form, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>f</title><label>Nome <input></label>' }),
    )
    await open(page, '/comunidade')
    await page.getByRole('button', button).click()
    await page.frameLocator('iframe').getByLabel('Nome').fill('Fulana')
    await expect(page.getByText('Carregando o formulário…')).toHaveCount(0)
    await expect(page.getByRole('link', link)).toBeVisible()
    await expectNoHorizontalScroll(page)
  })

  test('a form that does not load shows a message, and the link stays', async ({ page }) => {
    await page.route(form, () => {})
    await page.clock.install()
    await open(page, '/comunidade')
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', button).click()
    await expect(page.getByText('Carregando o formulário…')).toBeVisible()
    await page.clock.runFor(7_000)
    await expect(page.getByText('O formulário não carregou aqui.')).toHaveCount(0)
    await page.clock.runFor(1_500)
    await expect(page.getByText('O formulário não carregou aqui.')).toBeVisible()
    await expect(page.getByRole('link', link)).toBeVisible()
    await takeScreenshot(page, `comunidade-falha-${test.info().project.name}`, { fullPage: true })
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('only the link is offered', async ({ page }) => {
    await page.goto('/comunidade')
    await expect(page.getByRole('link', link)).toBeVisible()
    await expect(page.getByRole('button', button)).toHaveCount(0)
  })
})
