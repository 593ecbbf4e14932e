// The application form for influencers.
import type { Page } from '@playwright/test'
import { expect, expectAccessible, open, takeScreenshot, test, waitForLoad } from '#tests/e2e/visitor.ts'
import { anInfluencer } from '#tests/helpers/factories.ts'

const address = '/influenciadoresCOMLULA'
const button = { name: 'Quero ser influenciador' }
const applied = 'Sua inscrição como influenciador foi enviada com sucesso!'

async function fillInfluencer(page: Page, influencer = anInfluencer()): Promise<void> {
  await page.getByLabel('Nome completo').fill(influencer.name)
  await page.getByLabel('E-mail').fill(influencer.email)
  await page.getByLabel('WhatsApp').first().fill(influencer.whatsapp)
  await page.getByLabel('Estado').selectOption(influencer.estado)
  await page.getByLabel('Cidade', { exact: false }).first().fill(influencer.cidade)
  await page.getByLabel('Suas redes sociais').fill(influencer.redesSociais)
  for (const task of influencer.tasks) await page.getByLabel(task).check()
}

test(
  'an application shows a confirmation and leads to the group after one second',
  { tag: '@quick' },
  async ({ page }, { project }) => {
    await page.clock.install()
    await open(page, address)
    await fillInfluencer(page, anInfluencer({ whatsapp: '+55 (00) 90000-0000' }))
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', button).click()

    await expect(page.getByRole('status').getByText(applied)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Enviando...' })).toBeDisabled()
    await takeScreenshot(page, `influenciadores-enviado-${project.name}`)
    await page.clock.runFor(900)
    await expect(page).toHaveURL(/\/influenciadoresCOMLULA$/)
    await page.clock.runFor(150)
    await expect(page).toHaveURL(/\/obrigado-influenciadores$/)

    const group = page.getByRole('link', { name: 'Entrar no grupo de influenciadores' })
    await expect(group).toHaveAttribute('target', '_blank')
    await page.clock.resume()
    for (const name of ['Compartilhar no WhatsApp', 'Telegram', 'Facebook', 'Twitter'])
      await expect(page.getByRole('main').getByRole('link', { name })).toHaveAttribute(
        'href',
        /influenciadoresCOMLULA%3Fde%3D/,
      )
    await expectAccessible(page)
    await takeScreenshot(page, `influenciadores-obrigado-${project.name}`, { fullPage: true })
  },
)

/** Simulates the return with the back button of the phone. */
const comeBack = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

test('going back to an unsent form keeps its data, and going back after sending shows an empty form', async ({
  page,
}) => {
  await page.clock.install()
  await open(page, address)
  const influencer = anInfluencer()
  await fillInfluencer(page, influencer)
  await comeBack(page)
  await expect(page.getByLabel('Nome completo')).toHaveValue(influencer.name)

  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', button).click()
  await expect(page.getByRole('status').getByText(applied)).toBeVisible()
  await expect(async () => {
    await comeBack(page)
    await expect(page.getByRole('button', button)).toBeEnabled({ timeout: 1_000 })
  }).toPass()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')
})

test.describe('when sending fails', () => {
  test.use({ expectedErrors: /status of 502/ })

  test('the error is displayed in a toast and the page stays', async ({ page }) => {
    await page.route('**/api/lideres', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await open(page, address)
    await fillInfluencer(page)
    await page.getByRole('button', button).click()

    const notice = page.locator('.toast')
    await expect(notice).toContainText('Erro')
    await expect(notice).toContainText('Erro ao enviar inscrição. Tente novamente.')
    await expect(page).toHaveURL(/\/influenciadoresCOMLULA$/)
    await expect(page.getByRole('button', button)).toBeEnabled()
    await expect(page.getByLabel('CRIAR CONTEÚDO')).toBeChecked()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 422/ })

  test('errors are displayed with all data kept, and the corrected form leads to the thank-you page', {
    tag: '@quick',
  }, async ({ page }) => {
    const influencer = anInfluencer({ whatsapp: '(00) 90000-0000', tasks: ['ORGANIZAR EVENTOS LOCAIS'] })
    await page.goto(address)
    await fillInfluencer(page, influencer)
    const [refusal] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', button).click(),
    ])

    expect(refusal.status()).toBe(422)
    await expect(page.getByRole('alert').getByRole('listitem')).toHaveText(['WhatsApp: Apenas números são permitidos'])
    await expect(page.getByLabel('WhatsApp').first()).toHaveValue('(00) 90000-0000')
    await expect(page.getByLabel('Nome completo')).toHaveValue(influencer.name)
    await expect(page.getByLabel('Estado')).toHaveValue('SP')
    await expect(page.getByLabel('ORGANIZAR EVENTOS LOCAIS')).toBeChecked()

    await waitForLoad(page)
    await page.getByLabel('WhatsApp').first().fill('00900000000')
    await page.getByRole('button', button).click()
    await expect(page).toHaveURL(/\/obrigado-influenciadores(#inscricao)?$/)
    await expect(page.getByRole('link', { name: 'Entrar no grupo de influenciadores' })).toBeVisible()
  })
})
