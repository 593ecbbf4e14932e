// Errands of people whose thumbs slip, whose browser fills in the form, or who paste their number.
import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  fillSignature,
  holdBack,
  open,
  takePicture,
  test,
  withoutWorker,
} from '#tests/e2e/visitor.ts'

const email = (page: Page) => page.getByLabel('E-mail')
const question = (page: Page, address: string) => page.getByRole('button', { name: `Você quis dizer ${address}?` })
const anyQuestion = (page: Page) => page.getByRole('button', { name: /Você quis dizer/ })

for (const path of ['/', '/peticao', '/influenciadoresCOMLULA', '/formulario-lideres']) {
  test(`on ${path} a slip in the address is asked about, and corrected only when pressed`, async ({ page }, {
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
    await takePicture(page, `email-${path.slice(1) || 'inicio'}-${project.name}`)

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

test('the question goes when the address is written again, and an address of a company is left in peace', async ({
  page,
}) => {
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

test('whoever goes straight from the address to the button presses the button', { tag: '@quick' }, async ({ page }) => {
  await page.route('**/api/peticoes', (route) => route.fulfill({ status: 201, json: { success: true, message: 'ok' } }))
  await open(page, '/peticao')
  await fillSignature(page)
  await email(page).fill('fulana@gmial.com')
  const button = page.getByRole('button', { name: 'Assinar a petição' })
  // Both in sight, so that what appears below the one would move the other.
  await email(page).evaluate((field) => field.scrollIntoView({ block: 'start', behavior: 'instant' }))
  await expect(button).toBeInViewport({ ratio: 1 })
  const { x = 0, y = 0, height = 0 } = (await button.boundingBox()) ?? {}
  await page.mouse.move(x + 40, y + height - 4)
  await page.mouse.down()
  // A slow thumb.
  await page.waitForTimeout(1_500)
  await page.mouse.up()

  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
})

test('a question that comes late is not asked about an address that was written again', async ({ page }) => {
  await withoutWorker(page)
  const release = await holdBack(page, '/assets/email-typos-*.js')
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

  test('whoever cannot load the list of slips is not asked', async ({ page }) => {
    await withoutWorker(page)
    await page.route('**/assets/email-typos-*.js', (route) => route.abort())
    await open(page, '/peticao')
    await email(page).fill('fulana@gmial.com')
    await page.keyboard.press('Tab')
    await page.waitForTimeout(500)
    await expect(anyQuestion(page)).toHaveCount(0)
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
  })
})

test(
  'a CPF whose digits do not fit is pointed out gently and taken all the same',
  { tag: '@quick' },
  async ({ page }, { project }) => {
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
    await takePicture(page, `cpf-${project.name}`, { fullPage: true })
    await page.getByRole('button', { name: 'Enviar candidatura' }).click()
    await expect(page.getByLabel('Nome completo')).toHaveAttribute('aria-invalid')
    await expect(cpf).not.toHaveAttribute('aria-invalid')

    await cpf.fill('123.456.789-09')
    await cpf.blur()
    await page.waitForTimeout(1_500)
    await expect(doubt).toHaveCount(0)
  },
)

test.describe('a number with the country in front', () => {
  const pasted = '+55 00 98765-4321'
  const forms = [
    { path: '/', call: '/api/contacts', button: 'QUERO PARTICIPAR', sent: '00987654321' },
    { path: '/influenciadoresCOMLULA', call: '/api/lideres', button: 'Quero ser influenciador', sent: '00987654321' },
    { path: '/peticao', call: '/api/peticoes', button: 'Assinar a petição', sent: pasted },
    { path: '/p/fim-escala-6x1', call: '/api/campaigns/*/signatures', button: 'Assinar a petição', sent: pasted },
    { path: '/formulario-lideres', call: '/api/formulario-lideres', button: 'Enviar candidatura', sent: pasted },
  ]

  /** Everything but the number, as a browser fills in: values appear, nobody touches the fields. */
  async function autofill(page: Page, whatsapp?: string): Promise<void> {
    await page.locator('form').evaluate((form: HTMLFormElement, whatsapp) => {
      const known: Record<string, string> = {
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
        else if (known[field.name]) field.value = known[field.name] ?? ''
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
