// The city field and its suggestions.
import type { Page } from '@playwright/test'
import {
  disableServiceWorker,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  fillSignature,
  open,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

const city = (page: Page) => page.getByLabel('Cidade', { exact: false }).first()
const state = (page: Page) => page.getByLabel('Estado')
const options = (page: Page) => page.getByRole('listbox', { name: 'Cidades sugeridas' }).getByRole('option')

/** Collects the states whose list of municipalities was requested. */
function requestedStates(page: Page): string[] {
  const requested: string[] = []
  page.on('request', (request) => {
    const [, uf] = /\/api\/municipios\/(\w+)/.exec(request.url()) ?? []
    if (uf) requested.push(uf)
  })
  return requested
}

for (const path of ['/peticao', '/influenciadoresCOMLULA', '/formulario-lideres']) {
  test(`on ${path} the city is suggested, and the list of each state is requested once`, async ({ page }, {
    project,
  }) => {
    const requested = requestedStates(page)
    await open(page, path)
    await state(page).selectOption('SP')
    expect(requested).toEqual([])

    await city(page).click()
    await city(page).pressSequentially('sao jose do rio p')

    await expect(options(page)).toHaveText(['São José do Rio Preto', 'São José do Rio Pardo'])
    await expect(page.getByText('2 cidades sugeridas')).toBeAttached()
    await expect(city(page)).toHaveAttribute('aria-expanded', 'true')
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `cidade-${path.slice(1)}-${project.name}`)

    await options(page).first().click()
    await expect(city(page)).toHaveValue('São José do Rio Preto')
    await expect(city(page)).toBeFocused()
    await expect(options(page)).toHaveCount(0)

    await state(page).selectOption('DF')
    await city(page).fill('')
    await expect(options(page)).toHaveText(['Brasília'])
    await state(page).selectOption('SP')
    await city(page).fill('ribeirao pr')
    await expect(options(page)).toHaveText(['Ribeirão Preto'])
    expect(requested).toEqual(['SP', 'DF'])
  })
}

test('by keyboard, arrow keys select a city, Enter chooses it, and the next Enter sends the form', async ({ page }) => {
  await open(page, '/peticao')
  await fillSignature(page, { estado: 'MG', cidade: '' })
  await city(page).focus()
  await page.keyboard.type('ouro')
  await expect(options(page).first()).toHaveText('Ouro Preto')

  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(city(page)).toHaveAttribute('aria-activedescendant', '')
  await page.keyboard.press('ArrowDown')
  const active = await city(page).getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${active}"]`)).toHaveText('Ouro Preto')
  await page.keyboard.press('Enter')
  await expect(city(page)).toHaveValue('Ouro Preto')
  await expect(page.getByRole('button', { name: 'Assinar a petição' })).toBeVisible()

  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeFocused()
})

test('a city that is not in the list is accepted, and Escape closes the list', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/peticao')
  await fillSignature(page, { estado: 'MG', cidade: '' })
  await city(page).pressSequentially('Ouro')
  await expect(options(page)).not.toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)

  await page.keyboard.type(' Inventado de Cima')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
})

test('a city typed before the state gets suggestions when the field is focused again', async ({ page }) => {
  const requested = requestedStates(page)
  await open(page, '/peticao')
  await city(page).fill('florianop')
  await expect(options(page)).toHaveCount(0)
  expect(requested).toEqual([])
  // The suggestions have loaded and are empty, and the field still has the focus.
  await expect(
    page
      .locator('.field')
      .filter({ has: city(page) })
      .getByRole('status'),
  ).toBeAttached()

  await state(page).selectOption('SC')
  await city(page).click()
  await expect(options(page)).toHaveText(['Florianópolis'])
})

test('choosing a city clears the error of the field', async ({ page }) => {
  await open(page, '/peticao')
  await fillSignature(page, { estado: 'RJ', cidade: '' })
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(city(page)).toHaveAccessibleDescription('Cidade é obrigatória')

  await city(page).pressSequentially('n')
  await expect(options(page).first()).toHaveText('Nova Iguaçu')
  await options(page).first().click()
  await expect(city(page)).not.toHaveAttribute('aria-invalid')
})

test('autofill of the browser requests no list', async ({ page }) => {
  const requested = requestedStates(page)
  await open(page, '/peticao')
  await city(page).focus()
  // The suggestions have loaded.
  await expect(city(page)).toHaveAttribute('aria-controls', '')
  await state(page).focus()
  await state(page).selectOption('SP')
  await city(page).evaluate((field: HTMLInputElement) => {
    field.value = 'Santos'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.waitForTimeout(300)
  expect(requested).toEqual([])
})

test.describe('on a bad network', () => {
  test.use({ expectedErrors: /ERR_FAILED|status of 503/ })

  for (const missing of ['**/api/municipios/*', '**/assets/city-suggestions-*.js']) {
    test(`without ${missing} no error is displayed and the signature is accepted`, async ({ page }) => {
      await disableServiceWorker(page)
      await page.route(missing, (route) => route.abort())
      await open(page, '/peticao')
      const failed = page.waitForEvent('requestfailed')
      await fillSignature(page, { estado: 'BA', cidade: '' })
      await city(page).pressSequentially('Salvador')
      await failed
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
      await page.getByRole('button', { name: 'Assinar a petição' }).click()
      await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
    })
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the city is a plain field', { tag: '@quick' }, async ({ page }) => {
    const requested = requestedStates(page)
    await page.goto('/peticao')
    await fillSignature(page)
    await expect(city(page)).toHaveRole('textbox')
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
    expect(requested).toEqual([])
  })
})
