// The form for volunteers on the home page.
import type { Page, Route } from '@playwright/test'
import {
  disableServiceWorker,
  expect,
  expectAccessible,
  holdRequests,
  open,
  takeScreenshot,
  test,
  waitForLoad,
} from '#tests/e2e/visitor.ts'

const spread = 'QUERO ESPALHAR CONTEÚDO NAS REDES'
const create = 'QUERO CRIAR CONTEÚDO'
const button = { name: 'QUERO PARTICIPAR' }
const signedUp = { status: 201, json: { success: true, message: 'Cadastro realizado com sucesso!' } }

const form = (page: Page) => page.locator('#time-lula')
const banner = (page: Page) => form(page).getByRole('alert')

async function fillVolunteer(page: Page, tasks: string[] = [spread]): Promise<void> {
  await form(page).getByLabel('Nome').fill('Fulana Fictícia')
  await form(page).getByLabel('E-mail').fill('fulana@example.org')
  await form(page).getByLabel('WhatsApp').fill('+55 (00) 90000-0000')
  for (const task of tasks) await form(page).getByLabel(task).check()
}

/** Replaces the response of the server. Returns the received bodies. */
async function answer(page: Page, reply: Parameters<Route['fulfill']>[0]): Promise<unknown[]> {
  const sent: unknown[] = []
  await page.route('**/api/contacts', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill(reply)
  })
  return sent
}

test('a volunteer signs up and gets the link to the general group', { tag: '@quick' }, async ({ page }) => {
  const sent = await answer(page, signedUp)
  await open(page, '/')
  await page.getByRole('link', { name: 'Quero fazer parte' }).click()
  await expect(form(page).getByLabel('Nome')).toBeInViewport()

  await fillVolunteer(page)
  await form(page).getByRole('button', button).click()

  await expect(page.getByRole('heading', { name: 'Obrigado por chegar junto!' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'ENTRE NO GRUPO DO WHATSAPP' })).toHaveAttribute('href', /grupo-geral$/)
  for (const name of ['Compartilhar no WhatsApp', 'Telegram', 'Facebook', 'Twitter'])
    await expect(form(page).getByRole('link', { name })).toHaveAttribute(
      'href',
      /%3Fde%3D(whatsapp|telegram|facebook|twitter)/,
    )
  await takeScreenshot(page, 'voluntario-obrigado', { fullPage: true })
  expect(sent).toEqual([
    {
      name: 'Fulana Fictícia',
      email: 'fulana@example.org',
      whatsapp: '00900000000',
      tasks: [spread],
      versaoConsentimento: '2026-11-19',
      honeypot: '',
    },
  ])
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Fazer novo cadastro' }).click()
  await expect(form(page).getByLabel('Nome')).toBeFocused()
  await expect(form(page).getByLabel('Nome')).toHaveValue('')
  await expect(form(page).getByLabel(spread)).not.toBeChecked()
})

test('a volunteer who creates content gets the link to the group of creators', async ({ page }) => {
  const sent = await answer(page, signedUp)
  await open(page, '/')
  await fillVolunteer(page, [spread, create])
  await form(page).getByLabel('Quero receber novidades').check()
  await form(page).getByRole('button', button).click()

  const group = page.getByRole('link', { name: 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' })
  await expect(group).toHaveAttribute('href', /grupo-criadores$/)
  expect(sent).toMatchObject([{ tasks: [spread, create], aceitaNovidades: true }])
})

test(
  'errors are displayed one at a time, in order, and at their fields',
  { tag: '@quick' },
  async ({ page }, { project }) => {
    const sent = await answer(page, signedUp)
    await open(page, '/')
    const send = () => form(page).getByRole('button', button).click()
    const field = (label: string) => form(page).getByLabel(label)

    await field('Nome').fill('Jo')
    await field('E-mail').fill('sem-arroba')
    await field('WhatsApp').fill('(11) 9876-543')
    await send()
    await expect(banner(page)).toHaveText('Nome deve ter pelo menos 3 caracteres')
    await expect(field('Nome')).toBeFocused()
    await expect(field('Nome')).toHaveAccessibleDescription('Nome deve ter pelo menos 3 caracteres')
    await expectAccessible(page)
    await takeScreenshot(page, `inicio-erros-${project.name}`, { fullPage: true })

    await field('Nome').fill('João')
    await expect(field('Nome')).not.toHaveAttribute('aria-invalid')
    await send()
    await expect(banner(page)).toHaveText('Email inválido')
    await expect(field('E-mail')).toBeFocused()

    await field('E-mail').fill('joao@example.org')
    await send()
    await expect(banner(page)).toHaveText('WhatsApp deve ter pelo menos 10 dígitos')

    await field('WhatsApp').fill('(11) 98765-4321')
    await send()
    await expect(banner(page)).toHaveText('Selecione pelo menos uma tarefa')
    await expect(field(spread)).toBeFocused()
    await expect(field(spread)).toHaveAccessibleDescription('Selecione pelo menos uma tarefa')
    expect(sent).toEqual([])

    await field(create).check()
    await expect(banner(page)).toBeEmpty()
    await send()
    await expect(page.getByRole('heading', { name: 'Obrigado por chegar junto!' })).toBeVisible()
    expect(sent).toHaveLength(1)
  },
)

test('a filled honeypot sends nothing', async ({ page }) => {
  const sent = await answer(page, signedUp)
  await open(page, '/')
  await fillVolunteer(page)
  await page.locator('[name=honeypot]').evaluate((hidden: HTMLInputElement) => {
    hidden.value = 'robô'
  })
  await form(page).getByRole('button', button).click()
  await expect(banner(page)).toHaveText('Falha na verificação de segurança. Tente novamente.')
  expect(sent).toEqual([])
})

test('during sending the button says so and is disabled', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/contacts', async (route) => {
    await held
    await route.fulfill(signedUp)
  })
  await open(page, '/')
  await fillVolunteer(page)
  await form(page).getByRole('button', button).click()
  await expect(form(page).getByRole('button', { name: 'ENVIANDO...' })).toBeDisabled()
  release()
  await expect(page.getByRole('heading', { name: 'Obrigado por chegar junto!' })).toBeVisible()
})

test.describe('when sending fails', () => {
  test.use({ expectedErrors: /status of (400|502|503)|ERR_FAILED/ })

  test('a lost connection shows an error and keeps the data', { tag: '@quick' }, async ({ page }) => {
    await page.route('**/api/contacts', (route) => route.abort())
    await open(page, '/')
    await fillVolunteer(page, [create])
    await form(page).getByRole('button', button).click()

    await expect(banner(page)).toHaveText('Erro de conexão. Verifique sua internet e tente novamente.')
    await expect(banner(page)).toBeInViewport()
    await expect(form(page).getByLabel('Nome')).toHaveValue('Fulana Fictícia')
    await expect(form(page).getByLabel('WhatsApp')).toHaveValue('+55 (00) 90000-0000')
    await expect(form(page).getByLabel(create)).toBeChecked()
    await expect(page.locator('.toast')).toHaveCount(0)

    await page.unroute('**/api/contacts')
    await answer(page, signedUp)
    await form(page).getByRole('button', button).click()
    await expect(page.getByRole('link', { name: 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' })).toBeVisible()
  })

  test('a retry after a lost response has the same request id, a corrected form a new one', async ({ page }) => {
    const ids: (string | undefined)[] = []
    await page.route('**/api/contacts', (route) => {
      ids.push(route.request().headers()['x-request-id'])
      return ids.length < 3 ? route.abort() : route.fulfill(signedUp)
    })
    await open(page, '/')
    await fillVolunteer(page)
    for (const sent of [1, 2]) {
      await form(page).getByRole('button', button).click()
      await expect.poll(() => ids.length).toBe(sent)
      await expect(banner(page)).toHaveText('Erro de conexão. Verifique sua internet e tente novamente.')
    }
    await form(page).getByLabel('WhatsApp').fill('(00) 90000-0001')
    await form(page).getByRole('button', button).click()
    await expect(page.getByRole('heading', { name: 'Obrigado por chegar junto!' })).toBeVisible()
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })

  const refusals = [
    [503, { success: false, message: 'Estamos com muita procura agora.' }, 'Estamos com muita procura agora.'],
    [400, { success: false, message: 'Email inválido', errors: { email: 'Email inválido' } }, 'Email inválido'],
    [502, 'Bad gateway', 'Erro ao enviar formulário. Tente novamente.'],
  ] as const
  for (const [status, json, sentence] of refusals) {
    test(`a ${status} is displayed as "${sentence}"`, async ({ page }) => {
      await answer(page, { status, json })
      await open(page, '/')
      await fillVolunteer(page)
      await form(page).getByRole('button', button).click()
      await expect(banner(page)).toHaveText(sentence)
      await expect(form(page).getByRole('button', button)).toBeEnabled()
    })
  }
})

test('a volunteer can sign up by keyboard', async ({ page }) => {
  await answer(page, signedUp)
  await open(page, '/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const tabTo = async (label: string) => {
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(
        () => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent ?? '',
      )
      if (focused.startsWith(label)) return
    }
    throw new Error(`Tab does not reach ${label}`)
  }
  await tabTo('Nome')
  await page.keyboard.type('Fulana do Teclado')
  await tabTo('E-mail')
  await page.keyboard.type('teclado@example.org')
  await tabTo('WhatsApp')
  await page.keyboard.type('00 90000-0000')
  await tabTo(create)
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Obrigado por chegar junto!' })).toBeFocused()
})

test.describe('with a mouse, where no share sheet opens', () => {
  test.use({ hasTouch: false, isMobile: false })

  test('the share links carry the public address, and the link can be copied', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(page, '/?utm_source=teste')
    const card = page.getByRole('list', { name: 'Compartilhar o movimento' })
    for (const name of ['WhatsApp', 'Facebook', 'Twitter']) {
      const href = await card.getByRole('link', { name }).getAttribute('href')
      expect(decodeURIComponent(String(href))).toMatch(/http[^?]*\/$/)
      expect(href).not.toContain('utm_source')
    }
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await card.getByRole('button', { name: 'Copiar link' }).click()
    await expect(card.getByRole('button', { name: 'Copiado!' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http[^?]+\/$/)
    await page.clock.runFor(2_100)
    await expect(card.getByRole('button', { name: 'Copiar link' })).toBeVisible()
  })
})

test('the links in the footer lead to their sections', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('link', { name: 'Quem somos' }).click()
  await expect(page.getByRole('heading', { name: 'Quem somos' })).toBeInViewport()
  await page.getByRole('link', { name: 'Objetivos' }).click()
  await expect(page.getByRole('heading', { name: 'Nossos objetivos' })).toBeInViewport()
})

test('in an app without clipboard and share sheet the URL is selected for copying', async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } })
    Object.defineProperty(navigator, 'share', { value: refuse })
  })
  await open(page, '/')
  await page.getByRole('button', { name: /^(Copiar link|Mais opções)$/ }).click()
  await expect(page.getByText('O endereço acima está selecionado: agora é só copiar.')).toBeVisible()
  await expect(page.locator('.share-address')).toBeInViewport()
  expect(await page.evaluate(() => String(getSelection()).trim())).toMatch(/^http[^?]+\/$/)
  await takeScreenshot(page, 'copiar-a-mao-phone', { scale: 'css' })
})

test('the copy button is hidden until it works', async ({ page }) => {
  await disableServiceWorker(page)
  const release = await holdRequests(page, '/assets/entry-browser*.js')
  await page.goto('/', { waitUntil: 'commit' })
  const copy = page.locator('.share-copy button')
  await expect(copy).toHaveCount(1)
  await expect(copy).toBeHidden()
  release()
  await expect(copy).toBeVisible()
})

test('the confirmation for creators after a plain form survives a reload', async ({ page }) => {
  const group = page.getByRole('link', { name: 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' })
  await open(page, '/?obrigado=criadores')
  await expect(page).toHaveURL(/\/$/)
  await expect(group).toBeVisible()
  await page.reload()
  await expect(group).toBeVisible()
})

test('a second tap while the share sheet opens changes nothing', async ({ page }) => {
  const calls: string[] = []
  await page.exposeFunction('recordCall', (call: string) => calls.push(call))
  await page.addInitScript(() => {
    const { recordCall } = window as unknown as { recordCall(call: string): Promise<void> }
    let open = false
    const share = async () => {
      await recordCall('shared')
      if (open) throw new DOMException('', 'InvalidStateError')
      open = true
      await new Promise(() => {})
    }
    Object.defineProperty(navigator, 'share', { value: share })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => recordCall('copied') } })
  })
  await open(page, '/')
  await page.getByRole('button', { name: 'Mais opções' }).click()
  await page.getByRole('button', { name: 'Mais opções' }).click()
  await expect.poll(() => calls.length).toBeGreaterThanOrEqual(2)
  await page.waitForTimeout(500)
  expect(calls).toEqual(['shared', 'shared'])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 422/ })

  test('errors are displayed with all data kept, and the corrected form shows the confirmation', {
    tag: '@quick',
  }, async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Copiar link' })).toBeHidden()
    await fillVolunteer(page, [])
    await form(page).getByLabel('Quero receber novidades').check()
    const [refusal] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      form(page).getByRole('button', button).click(),
    ])

    expect(refusal.status()).toBe(422)
    await expect(page).toHaveURL(/\/#time-lula$/)
    await expect(banner(page)).toHaveText('Apenas números são permitidos')
    await expect(form(page).getByLabel('WhatsApp')).toHaveAccessibleDescription(/^Apenas números são permitidos/)
    await expect(form(page).getByLabel(create)).toHaveAccessibleDescription('Selecione pelo menos uma tarefa')
    await expect(form(page).getByLabel('Nome')).toHaveValue('Fulana Fictícia')
    await expect(form(page).getByLabel('E-mail')).toHaveValue('fulana@example.org')
    await expect(form(page).getByLabel('WhatsApp')).toHaveValue('+55 (00) 90000-0000')
    await expect(form(page).getByLabel('Quero receber novidades')).toBeChecked()

    await waitForLoad(page)
    await form(page).getByLabel('WhatsApp').fill('00900000000')
    await form(page).getByLabel(create).check()
    await form(page).getByRole('button', button).click()
    await expect(page).toHaveURL(/\/\?obrigado=criadores(#time-lula)?$/)
    await expect(page.getByRole('link', { name: 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' })).toHaveAttribute(
      'href',
      'https://example.org/grupo-criadores',
    )
    await waitForLoad(page)
    await page.getByRole('link', { name: 'Fazer novo cadastro' }).click()
    await expect(form(page).getByLabel('Nome')).toHaveValue('')
  })
})
