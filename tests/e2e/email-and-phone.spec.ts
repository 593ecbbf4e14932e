// Typos in e-mail addresses, autofill and pasted phone numbers.
import type { Page } from '@playwright/test'
import {
  disableServiceWorker,
  expect,
  expectAccessible,
  fillSignature,
  holdRequests,
  open,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

const email = (page: Page) => page.getByLabel('E-mail')
const question = (page: Page, address: string) => page.getByRole('button', { name: `Você quis dizer ${address}?` })
const anyQuestion = (page: Page) => page.getByRole('button', { name: /Você quis dizer/ })

for (const path of ['/', '/peticao', '/influenciadoresCOMLULA', '/formulario-lideres']) {
  test(`on ${path} a typo in the e-mail address is questioned, and corrected only on request`, async ({ page }, {
    project,
  }) => {
    await open(page, path)
    await email(page).fill('fulana@gmial.com')
    await expect(anyQuestion(page)).toHaveCount(0)

    await page.keyboard.press('Tab')
    await expect(question(page, 'fulana@gmail.com')).toBeVisible()
    await expect(page.getByRole('status').filter({ has: anyQuestion(page) })).toHaveCount(1)
    await expect(email(page)).toHaveValue('fulana@gmial.com')
    await expectAccessible(page)
    await takeScreenshot(page, `email-${path.slice(1) || 'inicio'}-${project.name}`)

    await page.keyboard.press('Shift+Tab')
    await expect(question(page, 'fulana@gmail.com')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(email(page)).toHaveValue('fulana@gmail.com')
    await expect(email(page)).toBeFocused()
    await expect(anyQuestion(page)).toHaveCount(0)
    await page.keyboard.press('Tab')
    await page.waitForTimeout(500)
    await expect(anyQuestion(page)).toHaveCount(0)
  })
}

test('the question disappears when the address changes, and a company domain is not questioned', async ({ page }) => {
  await open(page, '/peticao')
  await email(page).fill('fulana@hotmial.com')
  await email(page).blur()
  await expect(question(page, 'fulana@hotmail.com')).toBeVisible()

  await email(page).fill('fulana@empresa.example.org')
  await expect(anyQuestion(page)).toHaveCount(0)
  await email(page).blur()
  await page.waitForTimeout(1_500)
  await expect(anyQuestion(page)).toHaveCount(0)
})

test('the question does not move the submit button under a pressed pointer', { tag: '@quick' }, async ({ page }) => {
  await page.route('**/api/peticoes', (route) => route.fulfill({ status: 201, json: { success: true, message: 'ok' } }))
  await open(page, '/peticao')
  await fillSignature(page)
  await email(page).fill('fulana@gmial.com')
  const button = page.getByRole('button', { name: 'Assinar a petição' })
  // Both are visible, so that a question below the field would move the button.
  await email(page).evaluate((field) => field.scrollIntoView({ block: 'start', behavior: 'instant' }))
  await expect(button).toBeInViewport({ ratio: 1 })
  const { x = 0, y = 0, height = 0 } = (await button.boundingBox()) ?? {}
  await page.mouse.move(x + 40, y + height - 4)
  await page.mouse.down()
  // A long press.
  await page.waitForTimeout(1_500)
  await page.mouse.up()

  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
})

test('a late question is not displayed for a changed address', async ({ page }) => {
  await disableServiceWorker(page)
  const release = await holdRequests(page, '/assets/email-typos-*.js')
  await open(page, '/peticao')
  await email(page).fill('fulana@gmial.com')
  await page.keyboard.press('Tab')
  await page.waitForTimeout(300)
  await email(page).fill('fulana@example.org')
  const loaded = page.waitForResponse('**/assets/email-typos-*.js')
  release()
  await loaded
  await page.waitForTimeout(500)
  await expect(anyQuestion(page)).toHaveCount(0)
})

test.describe('on a bad network', () => {
  test.use({ expectedErrors: /ERR_FAILED/ })

  test('without the list of typos no question is displayed', async ({ page }) => {
    await disableServiceWorker(page)
    await page.route('**/assets/email-typos-*.js', (route) => route.abort())
    await open(page, '/peticao')
    await email(page).fill('fulana@gmial.com')
    await page.keyboard.press('Tab')
    await page.waitForTimeout(500)
    await expect(anyQuestion(page)).toHaveCount(0)
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
  })
})

test('a CPF with wrong check digits gets a hint and is accepted', { tag: '@quick' }, async ({ page }, { project }) => {
  await open(page, '/formulario-lideres')
  const cpf = page.getByLabel('CPF')
  const doubt = page.getByText('Confira o CPF')
  await cpf.fill('1234')
  await cpf.blur()
  await page.waitForTimeout(1_500)
  await expect(doubt).toHaveCount(0)

  await cpf.fill('123.456.789-00')
  await expect(doubt).toHaveCount(0)
  await cpf.blur()
  await expect(
    page
      .getByRole('status')
      .filter({ has: doubt })
      .or(doubt.and(page.getByRole('status'))),
  ).toBeVisible()
  await expect(cpf).toHaveAccessibleDescription(/Se estiver certo, pode continuar\.$/)
  await expect(cpf).not.toHaveAttribute('aria-invalid')
  await expectAccessible(page)
  await cpf.scrollIntoViewIfNeeded()
  await takeScreenshot(page, `cpf-${project.name}`, { fullPage: true })
  await page.getByRole('button', { name: 'Enviar candidatura' }).click()
  await expect(page.getByLabel('Nome completo')).toHaveAttribute('aria-invalid')
  await expect(cpf).not.toHaveAttribute('aria-invalid')

  await cpf.fill('123.456.789-09')
  await cpf.blur()
  await page.waitForTimeout(1_500)
  await expect(doubt).toHaveCount(0)
})

test.describe('a phone number with country code', () => {
  const pasted = '+55 00 98765-4321'
  const forms = [
    { path: '/', call: '/api/contacts', button: 'QUERO PARTICIPAR', sent: '00987654321' },
    { path: '/influenciadoresCOMLULA', call: '/api/lideres', button: 'Quero ser influenciador', sent: '00987654321' },
    { path: '/peticao', call: '/api/peticoes', button: 'Assinar a petição', sent: pasted },
    { path: '/p/fim-escala-6x1', call: '/api/campaigns/*/signatures', button: 'Assinar a petição', sent: pasted },
    { path: '/formulario-lideres', call: '/api/formulario-lideres', button: 'Enviar candidatura', sent: pasted },
  ]

  /** Sets all fields except the phone number, as autofill does: values change without key events. */
  async function autofill(page: Page, whatsapp?: string): Promise<void> {
    await page.locator('form').evaluate((form: HTMLFormElement, whatsapp) => {
      const values: Record<string, string> = {
        nome: 'Fulana Fictícia',
        name: 'Fulana Fictícia',
        email: 'fulana@example.org',
        cidade: 'Cidade Inventada',
        estado: 'SP',
        redesSociais: '@fulana',
        cpf: '123.456.789-09',
        nascimento: '1984-02-29',
        genero: 'prefiro-nao-dizer',
        profissao: 'Padeira',
        endereco: 'Rua Inventada, 1',
        cep: '00000-000',
        motivacao: 'Quero ajudar a minha cidade',
        ...(whatsapp && { whatsapp }),
      }
      for (const field of Array.from(form.elements) as HTMLInputElement[]) {
        if (field.type === 'checkbox') field.checked = field.name !== 'aceitaNovidades'
        else if (values[field.name]) field.value = values[field.name] ?? ''
        else continue
        field.dispatchEvent(new Event('input', { bubbles: true }))
        field.dispatchEvent(new Event('change', { bubbles: true }))
      }
    }, whatsapp)
  }

  for (const { path, call, button, sent } of forms) {
    test.describe(path, () => {
      test.beforeEach(async ({ page }) => {
        await page.route(`**${call}`, (route) => route.fulfill({ status: 201, json: { success: true, message: 'ok' } }))
        await page.route('**/obrigado-influenciadores', (route) => route.abort())
        await open(page, path)
      })
      test.use({ expectedErrors: /ERR_FAILED/ })

      test('can be pasted', async ({ page, context }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        await autofill(page)
        await page.evaluate((text) => navigator.clipboard.writeText(text), pasted)
        const number = page.locator('form').getByLabel('WhatsApp')
        await number.focus()
        await page.keyboard.press('ControlOrMeta+V')
        await expect(number).toHaveValue(pasted)

        const request = page.waitForRequest(`**${call}`)
        await page.getByRole('button', { name: button }).click()
        expect((await request).postDataJSON()).toMatchObject({ whatsapp: sent })
      })

      test('can be filled in by the browser', async ({ page }) => {
        await autofill(page, '+5500987654321')
        const request = page.waitForRequest(`**${call}`)
        await page.getByRole('button', { name: button }).click()
        expect((await request).postDataJSON()).toMatchObject({
          whatsapp: sent === pasted ? '+5500987654321' : sent,
          email: 'fulana@example.org',
        })
      })
    })
  }
})
