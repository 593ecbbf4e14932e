// Errands of people who type the name of their city.
import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  fillSignature,
  open,
  takePicture,
  test,
  withoutWorker,
} from '#tests/e2e/visitor.ts'

const city = (page: Page) => page.getByLabel('Cidade', { exact: false }).first()
const state = (page: Page) => page.getByLabel('Estado')
const options = (page: Page) => page.getByRole('listbox', { name: 'Cidades sugeridas' }).getByRole('option')

/** Which lists of municipalities were asked for so far. */
function askedFor(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, uf] = /\/api\/municipios\/(\w+)/.exec(request.url()) ?? []
    if (uf) asked.push(uf)
  })
  return asked
}

for (const path of ['/peticao', '/influenciadoresCOMLULA', '/formulario-lideres']) {
  test(`on ${path} a hurried thumb finds its city, and each state is asked for once`, async ({ page }, { project }) => {
    const asked = askedFor(page)
    await open(page, path)
    await state(page).selectOption('SP')
    expect(asked).toEqual([])

    await city(page).click()
    await city(page).pressSequentially('sao jose do rio p')

    await expect(options(page)).toHaveText(['São José do Rio Preto', 'São José do Rio Pardo'])
    await expect(page.getByText('2 cidades sugeridas')).toBeAttached()
    await expect(city(page)).toHaveAttribute('aria-expanded', 'true')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `cidade-${path.slice(1)}-${project.name}`)

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
    expect(asked).toEqual(['SP', 'DF'])
  })
}

test('by keyboard: down to the city, Enter takes it, the next Enter sends', async ({ page }) => {
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

test('a place that is in no list is as good, and the list can be sent away', { tag: '@quick' }, async ({ page }) => {
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

test('who writes the city before choosing the state is helped on the way back', async ({ page }) => {
  const asked = askedFor(page)
  await open(page, '/peticao')
  await city(page).fill('florianop')
  await expect(options(page)).toHaveCount(0)
  expect(asked).toEqual([])
  // What suggests has arrived by now, had nothing to say, and the cursor is still in the field.
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

test('a city that was wrong is right as soon as it is chosen', async ({ page }) => {
  await open(page, '/peticao')
  await fillSignature(page, { estado: 'RJ', cidade: '' })
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(city(page)).toHaveAccessibleDescription('Cidade é obrigatória')

  await city(page).pressSequentially('n')
  await expect(options(page).first()).toHaveText('Nova Iguaçu')
  await options(page).first().click()
  await expect(city(page)).not.toHaveAttribute('aria-invalid')
})

test('a browser that fills in the form by itself asks for no list', async ({ page }) => {
  const asked = askedFor(page)
  await open(page, '/peticao')
  await city(page).focus()
  // The suggestions are there, not only on their way.
  await expect(city(page)).toHaveAttribute('aria-controls', '')
  await state(page).focus()
  await state(page).selectOption('SP')
  await city(page).evaluate((field: HTMLInputElement) => {
    field.value = 'Santos'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.waitForTimeout(300)
  expect(asked).toEqual([])
})

test.describe('on a bad network', () => {
  test.use({ expectedErrors: /ERR_FAILED|status of 503/ })

  for (const missing of ['**/api/municipios/*', '**/assets/city-suggestions-*.js']) {
    test(`without ${missing} nobody is told anything and the signature counts`, async ({ page }) => {
      await withoutWorker(page)
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
    const asked = askedFor(page)
    await page.goto('/peticao')
    await fillSignature(page)
    await expect(city(page)).toHaveRole('textbox')
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
    expect(asked).toEqual([])
  })
})
