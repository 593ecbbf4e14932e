// Signing the petition about interest rates.
import type { Page } from '@playwright/test'
import {
  displayedCount,
  expect,
  expectAccessible,
  fillSignature,
  holdRequests,
  open,
  test,
  waitForLoad,
} from '#tests/e2e/visitor.ts'

const button = { name: 'Assinar a petição' }

test('a signature is counted, and the page offers to share the petition', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/peticao')
  const before = await displayedCount(page)
  expect(before).toBeGreaterThanOrEqual(18245)

  await fillSignature(page)
  await page.getByRole('button', button).click()

  await expect(page.getByRole('status').getByText('Sucesso!', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
  await expect(page.getByText('Sua assinatura foi registrada com sucesso!')).toBeVisible()
  await expect.poll(() => displayedCount(page)).toBeGreaterThan(before)
  const whatsapp = await page.getByRole('link', { name: 'Compartilhar no WhatsApp' }).first().getAttribute('href')
  expect(decodeURIComponent(String(whatsapp))).toMatch(/^https:\/\/wa\.me\/\?text=.+\nhttp.+\/peticao\?de=whatsapp$/)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Assinar novamente com outro e-mail' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')
  await fillSignature(page)
  await page.getByRole('button', button).click()
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
})

test('only one toast is displayed, and it disappears after five seconds', async ({ page }) => {
  await page.clock.install()
  await open(page, '/peticao')
  await page.locator('[name=honeypot]').evaluate((field: HTMLInputElement) => {
    field.value = 'robô'
  })
  await fillSignature(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', button).click()
  await expect(page.locator('.toast').getByText('Erro', { exact: true })).toBeVisible()
  await page.getByRole('button', button).click()
  await expect(page.locator('.toast').getByText('Sucesso!', { exact: true })).toBeVisible()

  await expect(page.locator('.toast')).toHaveCount(1)
  await page.clock.runFor(4_500)
  await expect(page.locator('.toast')).toHaveCount(1)
  await page.clock.runFor(1_000)
  await expect(page.locator('.toast')).toHaveCount(0)
})

test('a filled honeypot sends nothing and shows an error', { tag: '@quick' }, async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await open(page, '/peticao')
  await fillSignature(page)
  await page.locator('[name=honeypot]').evaluate((field: HTMLInputElement) => {
    field.value = 'robô'
  })

  await page.getByRole('button', button).click()

  await expect(page.locator('.toast').getByText('Falha na verificação de segurança. Tente novamente.')).toBeVisible()
  await expect(page.locator('.toast').getByText('Erro', { exact: true })).toBeVisible()
  expect(sent).toEqual([])

  // Autofill of the hidden field does not block the visitor: the next attempt works.
  await page.getByRole('button', button).click()
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
})

test('errors are displayed at their fields and in a summary, and the first field gets the focus', {
  tag: '@quick',
}, async ({ page }) => {
  await open(page, '/peticao')
  await fillSignature(page, { nome: 'Jo', email: 'sem-arroba', whatsapp: '123' })

  await page.getByRole('button', button).click()

  const nome = page.getByLabel('Nome completo')
  await expect(nome).toBeFocused()
  await expect(nome).toHaveAttribute('aria-invalid', 'true')
  await expect(nome).toHaveAccessibleDescription('Nome deve ter pelo menos 3 caracteres')
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription('Email inválido')
  await expect(page.getByLabel('WhatsApp').first()).toHaveAccessibleDescription('Número deve ter pelo menos 8 dígitos')
  await expect(page.getByRole('alert').getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)

  await nome.fill('Fulana de Exemplo')
  await expect(nome).not.toHaveAttribute('aria-invalid')
  await expect(page.getByLabel('E-mail')).toHaveValue('sem-arroba')
})

test('a screen reader gets the summary, the invalid field and the reason', async ({ page }) => {
  await open(page, '/peticao')
  await fillSignature(page, { nome: 'Jo', email: 'sem-arroba', whatsapp: '123', estado: '', cidade: '' })
  const alert = page.locator('form').getByRole('alert')
  // The region exists before its text: a region that is added together with its text is not announced.
  await expect(alert).toBeAttached()
  await expect(alert).toBeEmpty()

  await page.getByRole('button', button).click()

  await expect(page.locator('#assinar')).toMatchAriaSnapshot(`
    - region "Assine agora":
      - heading "Assine agora" [level=2]
      - paragraph
      - alert:
        - paragraph: "Confira os campos marcados:"
        - list:
          - listitem:
            - link "Nome deve ter pelo menos 3 caracteres":
              - /url: "#nome"
          - listitem:
            - link "Email inválido"
          - listitem:
            - 'link "WhatsApp: Número deve ter pelo menos 8 dígitos"'
          - listitem:
            - link "Estado é obrigatório"
          - listitem:
            - link "Cidade é obrigatória"
      - text: Nome completo
      - textbox "Nome completo": Jo
      - paragraph: Nome deve ter pelo menos 3 caracteres
      - text: E-mail
      - textbox "E-mail": sem-arroba
      - status
      - paragraph: Email inválido
      - text: WhatsApp
      - textbox "WhatsApp": "123"
      - paragraph: Número deve ter pelo menos 8 dígitos
      - text: Estado
      - combobox "Estado"
      - paragraph: Estado é obrigatório
      - text: Cidade
      - combobox "Cidade"
      - paragraph: Cidade é obrigatória
      - textbox "Redes sociais (opcional)"
      - checkbox "Quero receber novidades da campanha"
      - button "Assinar a petição"
  `)
  const described = {
    'Nome completo': 'Nome deve ter pelo menos 3 caracteres',
    'E-mail': 'Email inválido',
    WhatsApp: 'Número deve ter pelo menos 8 dígitos',
    Estado: 'Estado é obrigatório',
    Cidade: 'Cidade é obrigatória',
  }
  for (const [name, description] of Object.entries(described)) {
    const field = page.locator('form').getByLabel(name)
    await expect(field).toHaveAccessibleName(name)
    await expect(field).toHaveAccessibleDescription(description)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(page.getByLabel('Nome completo')).toBeFocused()

  await page.getByRole('link', { name: 'Cidade é obrigatória' }).click()
  await expect(page.locator('form').getByLabel('Cidade')).toBeFocused()
})

/** Advances the clock of the page until the condition holds. Requests take real time. */
async function fastForwardUntil(page: Page, done: () => boolean): Promise<void> {
  await expect
    .poll(async () => {
      if (!done()) await page.clock.fastForward(5_000)
      return done()
    })
    .toBe(true)
}

test.describe('when the server fails', () => {
  // The service worker would reach the real server, which is not busy, and would send the stored signature at once.
  test.use({ expectedErrors: /status of 503|ERR_FAILED|registration blocked/, serviceWorkers: 'block' })

  const tooBusy = { status: 503, json: { success: false, message: 'Estamos com muita procura agora.' } }

  test('a busy server is retried automatically with a message, and the signature counts once', {
    tag: '@quick',
  }, async ({ page }) => {
    const ids: (string | undefined)[] = []
    await page.route('**/api/peticoes', (route) => {
      ids.push(route.request().headers()['x-request-id'])
      return ids.length === 1 ? route.fulfill(tooBusy) : route.continue()
    })
    await page.clock.install()
    await open(page, '/peticao')
    const { email } = await fillSignature(page)

    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', button).click()
    await expect(page.getByText('Vamos tentar de novo sozinhos em alguns segundos')).toBeVisible()
    await expect(page.getByLabel('E-mail')).toHaveValue(email)
    await expect(page.getByRole('button', { name: 'Enviando...' })).toBeDisabled()
    await fastForwardUntil(page, () => ids.length >= 2)
    await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBeTruthy()
    expect(ids[1]).toBe(ids[0])
  })

  test('with a server that stays busy the signature is stored on the phone', async ({ page }) => {
    await page.clock.install()
    let tries = 0
    await page.route('**/api/peticoes', (route) => {
      tries += 1
      return route.fulfill(tooBusy)
    })
    await open(page, '/peticao')
    await fillSignature(page)
    await page.getByRole('button', button).click()
    await expect(page.getByText('Vamos tentar de novo sozinhos em alguns segundos')).toBeVisible()
    await fastForwardUntil(page, () => tries >= 4)
    await expect(page.getByRole('heading', { name: 'Sua assinatura está guardada, ainda não enviada' })).toBeVisible()

    // The next signer sees none of its messages.
    await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
    await expect(page.getByLabel('Nome completo')).toBeFocused()
    await expect(page.locator('form').getByRole('alert')).toBeEmpty()
  })

  test('without storage the form keeps its data, and a retry counts once', async ({ page }) => {
    await page.clock.install()
    await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
    const ids: (string | undefined)[] = []
    await page.route('**/api/peticoes', (route) => {
      ids.push(route.request().headers()['x-request-id'])
      return ids.length <= 4 ? route.fulfill(tooBusy) : route.continue()
    })
    await open(page, '/peticao')
    const { email } = await fillSignature(page)
    await page.getByRole('button', button).click()
    await fastForwardUntil(page, () => ids.length >= 4)
    await expect(page.locator('.toast').getByText('Ocorreu um erro. Por favor, tente novamente.')).toBeVisible()
    await expect(page.getByLabel('E-mail')).toHaveValue(email)

    await page.getByRole('button', button).click()
    await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
    expect(new Set(ids).size).toBe(1)
    expect(ids).toHaveLength(5)
  })

  test('without storage a lost connection shows an error', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
    await page.route('**/api/peticoes', (route) => route.abort())
    await open(page, '/peticao')
    await fillSignature(page)
    await page.getByRole('button', button).click()
    await expect(page.getByText('Erro de conexão. Verifique sua internet e tente novamente.')).toBeVisible()
    await expect(page.getByRole('button', button)).toBeEnabled()
  })
})

test('during sending the button says so and is disabled', { tag: '@quick' }, async ({ page }) => {
  const release = await holdRequests(page, '/api/peticoes', 'POST')
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', button).click()
  await expect(page.getByRole('button', { name: 'Enviando...' })).toBeDisabled()
  release()
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
})

test('the petition can be signed by keyboard', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/peticao')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Pular para o conteúdo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

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
  await tabTo('Nome completo')
  await page.keyboard.type('Fulana do Teclado')
  await tabTo('E-mail')
  await page.keyboard.type(`teclado.${Date.now()}.${Math.random()}@example.org`)
  await tabTo('WhatsApp')
  await page.keyboard.type('+55 00 90000-0000')
  await tabTo('Estado')
  await page.keyboard.type('MG')
  await tabTo('Cidade')
  await page.keyboard.type('Cidade Inventada')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeFocused()
})

test('text typed before the scripts have loaded is kept', { tag: '@quick' }, async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/entry-browser*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/peticao', { waitUntil: 'commit' })
  const { nome, estado } = await fillSignature(page)
  release()
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')

  await expect(page.getByLabel('Nome completo')).toHaveValue(nome)
  await expect(page.getByLabel('Estado')).toHaveValue(estado)
  await page.getByRole('button', button).click()
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})

test('text typed during hydration is kept completely', async ({ page }) => {
  const release = await holdRequests(page, '/assets/entry-browser*.js')
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto('/peticao', { waitUntil: 'commit' })
  const nome = page.getByLabel('Nome completo')
  await nome.fill('Fulana ')

  // Types a letter whenever the scripts yield, however short.
  const typing = await nome.evaluateHandle((field: HTMLInputElement) => {
    let resolve = (_: string) => {}
    const promise = new Promise<string>((keep) => {
      resolve = keep
    })
    const { port1, port2 } = new MessageChannel()
    let typed = field.value
    port1.onmessage = () => {
      if (document.documentElement.dataset.viva === 'sim') return resolve(typed)
      typed += 'a'
      field.value += 'a'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      port2.postMessage('')
    }
    port2.postMessage('')
    return { promise }
  })
  release()

  const typed = await typing.evaluate(({ promise }) => promise)
  expect((await nome.inputValue()).length).toBe(typed.length)
})

test('the confirmation after a plain form is not part of the shared URL, and survives a reload', async ({
  page,
  context,
}) => {
  const thanks = { name: 'Obrigado! Sua voz conta' }
  await open(page, '/peticao?utm_source=grupo&obrigado#assinar')
  await expect(page.getByRole('heading', thanks)).toBeVisible()
  await expect(page).toHaveURL(/\/peticao\?utm_source=grupo#assinar$/)
  const other = await context.newPage()
  await open(other, page.url())
  await expect(other.getByRole('button', button)).toBeVisible()

  await page.reload()
  await expect(page.getByRole('heading', thanks)).toBeVisible()
  await page.getByRole('link', { name: 'Assinar novamente com outro e-mail' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await page.reload()
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
  await expect(page.getByRole('button', button)).toBeVisible()
})

test('a form that is focused before the scripts have loaded stays, although the tab showed a confirmation before', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } })
  })
  await page.goto('/peticao')
  await page.evaluate(() => history.replaceState({ thanked: 'todos' }, ''))
  await page.reload()
  const name = page.getByLabel('Nome completo')
  await name.click()
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')

  await expect(name).toBeFocused()
  await page.keyboard.type('Beltrana')
  await expect(name).toHaveValue('Beltrana')
})

test.describe('when the petition has been deactivated', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('the message of the server gets the focus and is announced', async ({ page }) => {
    const json = { success: false, message: 'Campanha não encontrada' }
    await page.route('**/api/peticoes', (route) => route.fulfill({ status: 404, json }))
    await open(page, '/peticao')
    await fillSignature(page)
    await page.getByRole('button', button).click()
    const errorText = page.locator('form').getByText('Campanha não encontrada')
    await expect(errorText).toBeFocused()
    await expect(errorText).toBeInViewport()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 422/ })

  test('errors are displayed with all data kept, and the corrected form shows the confirmation', {
    tag: '@quick',
  }, async ({ page }) => {
    await page.goto('/peticao')
    const { nome } = await fillSignature(page, { whatsapp: '123' })
    await page.getByRole('button', button).click()

    await expect(page.getByText('Número deve ter pelo menos 8 dígitos').first()).toBeVisible()
    await expect(page.getByLabel('Nome completo')).toHaveValue(nome)
    await expect(page.getByLabel('Estado')).toHaveValue('SP')

    await waitForLoad(page)
    await page.getByLabel('WhatsApp').first().fill('(00) 90000-0000')
    await page.getByRole('button', button).click()
    await expect(page).toHaveURL(/\/peticao\?obrigado(#assinar)?$/)
    await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
    await waitForLoad(page)
    await page.getByRole('link', { name: 'Assinar novamente com outro e-mail' }).click()
    await expect(page.getByLabel('Nome completo')).toHaveValue('')
  })
})
