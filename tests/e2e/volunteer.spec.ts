// Errands of people who come to the home page to join the movement.
import type { Page, Route } from '@playwright/test'
import {
  expect,
  expectAccessible,
  holdBack,
  open,
  takePicture,
  test,
  wholePage,
  withoutWorker,
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

/** Stands in for the server; what arrived is kept. */
async function answer(page: Page, reply: Parameters<Route['fulfill']>[0]): Promise<unknown[]> {
  const sent: unknown[] = []
  await page.route('**/api/contacts', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill(reply)
  })
  return sent
}

test('a volunteer comes from the headline, signs up, and is led to the general group', { tag: '@quick' }, async ({
  page,
}) => {
  const sent = await answer(page, signedUp)
  await open(page, '/')
  await page.getByRole('link', { name: 'Quero fazer parte' }).click()
  await expect(form(page).getByLabel('Nome')).toBeInViewport()

  await fillVolunteer(page)
  await form(page).getByRole('button', button).click()

  await expect(page.getByRole('heading', { name: 'Obrigado por chegar junto!' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'ENTRE NO GRUPO DO WHATSAPP' })).toHaveAttribute('href', /grupo-geral$/)
  expect(sent).toEqual([
    {
      name: 'Fulana Fictícia',
      email: 'fulana@example.org',
      whatsapp: '00900000000',
      tasks: [spread],
      versaoConsentimento: '2026-11-15',
      honeypot: '',
    },
  ])
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Fazer novo cadastro' }).click()
  await expect(form(page).getByLabel('Nome')).toBeFocused()
  await expect(form(page).getByLabel('Nome')).toHaveValue('')
  await expect(form(page).getByLabel(spread)).not.toBeChecked()
})

test('who creates content is led to the group of creators', async ({ page }) => {
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
  'what is missing is told one thing at a time, in order, and by the fields',
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
    await takePicture(page, `inicio-erros-${project.name}`, { fullPage: true })

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

test('while it is being sent the button says so and cannot be pressed twice', async ({ page }) => {
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

  test('a lost connection is told in words and nothing typed is lost', { tag: '@quick' }, async ({ page }) => {
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

  test('the same sent again after a lost answer is one request, and a correction is another', async ({ page }) => {
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
    test(`a ${status} is told as "${sentence}"`, async ({ page }) => {
      await answer(page, { status, json })
      await open(page, '/')
      await fillVolunteer(page)
      await form(page).getByRole('button', button).click()
      await expect(banner(page)).toHaveText(sentence)
      await expect(form(page).getByRole('button', button)).toBeEnabled()
    })
  }
})

test('somebody who uses only the keyboard can sign up', async ({ page }) => {
  await answer(page, signedUp)
  await open(page, '/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const reach = async (label: string) => {
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(
        () => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent ?? '',
      )
      if (focused.startsWith(label)) return
    }
    throw new Error(`Tab does not reach ${label}`)
  }
  await reach('Nome')
  await page.keyboard.type('Fulana do Teclado')
  await reach('E-mail')
  await page.keyboard.type('teclado@example.org')
  await reach('WhatsApp')
  await page.keyboard.type('00 90000-0000')
  await reach(create)
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

test('the footer’s links about us lead to their sections', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('link', { name: 'Quem somos' }).click()
  await expect(page.getByRole('heading', { name: 'Quem somos' })).toBeInViewport()
  await page.getByRole('link', { name: 'Objetivos' }).click()
  await expect(page.getByRole('heading', { name: 'Nossos objetivos' })).toBeInViewport()
})

test('within an app that refuses the clipboard and the share sheet, the address can be copied by hand', async ({
  page,
}) => {
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
  await takePicture(page, 'copiar-a-mao-phone', { scale: 'css' })
})

test('copying the link is not offered before it answers', async ({ page }) => {
  await withoutWorker(page)
  const release = await holdBack(page, '/assets/entry-browser*.js')
  await page.goto('/', { waitUntil: 'commit' })
  const copy = page.locator('.share-copy button')
  await expect(copy).toHaveCount(1)
  await expect(copy).toBeHidden()
  release()
  await expect(copy).toBeVisible()
})

test('who created content is thanked so after a plain form, also when the page is loaded anew', async ({ page }) => {
  const group = page.getByRole('link', { name: 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' })
  await open(page, '/?obrigado=criadores')
  await expect(page).toHaveURL(/\/$/)
  await expect(group).toBeVisible()
  await page.reload()
  await expect(group).toBeVisible()
})

test('a second tap while the share sheet opens changes nothing', async ({ page }) => {
  const deeds: string[] = []
  await page.exposeFunction('note', (deed: string) => deeds.push(deed))
  await page.addInitScript(() => {
    const { note } = window as unknown as { note(deed: string): Promise<void> }
    let open = false
    const share = async () => {
      await note('shared')
      if (open) throw new DOMException('', 'InvalidStateError')
      open = true
      await new Promise(() => {})
    }
    Object.defineProperty(navigator, 'share', { value: share })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => note('copied') } })
  })
  await open(page, '/')
  await page.getByRole('button', { name: 'Mais opções' }).click()
  await page.getByRole('button', { name: 'Mais opções' }).click()
  await expect.poll(() => deeds.length).toBeGreaterThanOrEqual(2)
  await page.waitForTimeout(500)
  expect(deeds).toEqual(['shared', 'shared'])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 422/ })

  test('a volunteer is told what is wrong with everything kept, corrects it and is thanked', { tag: '@quick' }, async ({
    page,
  }) => {
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

    await wholePage(page)
    await form(page).getByLabel('WhatsApp').fill('00900000000')
    await form(page).getByLabel(create).check()
    await form(page).getByRole('button', button).click()
    await expect(page).toHaveURL(/\/\?obrigado=criadores(#time-lula)?$/)
    await expect(page.getByRole('link', { name: 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' })).toHaveAttribute(
      'href',
      'https://example.org/grupo-criadores',
    )
    await wholePage(page)
    await page.getByRole('link', { name: 'Fazer novo cadastro' }).click()
    await expect(form(page).getByLabel('Nome')).toHaveValue('')
  })
})
