// The application form for leaders.
import type { Page } from '@playwright/test'
import { expect, expectAccessible, open, takeScreenshot, test, waitForLoad } from '#tests/e2e/visitor.ts'
import { aLeader } from '#tests/helpers/factories.ts'

const address = '/formulario-lideres'
const button = { name: 'Enviar candidatura' }

/** Presses Tab until the field with this label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document
      return ((activeElement as HTMLInputElement).labels?.[0] ?? activeElement)?.textContent ?? ''
    })
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused()).startsWith(label)) return
  }
  throw new Error(`Tab does not reach ${label}`)
}

async function fillLeader(page: Page, { cpf, whatsapp, motivacao, ...leader } = aLeader()): Promise<void> {
  await page.getByLabel('Nome completo').fill(leader.nome)
  await page.getByLabel('E-mail').fill(leader.email)
  await page.getByLabel('WhatsApp').first().fill(whatsapp)
  await page.getByLabel('CPF').fill(cpf)
  await page.getByLabel('Data de nascimento').fill(leader.nascimento)
  await page.getByLabel('Gênero').selectOption(leader.genero)
  await page.getByLabel('Profissão').fill(leader.profissao)
  await page.getByLabel('Endereço').fill(leader.endereco)
  await page.getByLabel('Estado').selectOption(leader.estado)
  await page.getByLabel('Cidade', { exact: false }).first().fill(leader.cidade)
  await page.getByLabel('CEP').fill(leader.cep)
  await page.getByLabel('Por que você quer ser líder?').fill(motivacao)
}

test.describe('keyboard input and a failing network', () => {
  test.use({ expectedErrors: /status of 502/ })

  test('a failed submission shows an alert and keeps the data, and the next one succeeds', async ({ page }) => {
    const { email, cpf } = aLeader()
    const sent: { id: string | undefined; body: unknown }[] = []
    await page.route('**/api/formulario-lideres', (route) => {
      const request = route.request()
      sent.push({ id: request.headers()['x-request-id'], body: request.postDataJSON() })
      return sent.length === 1 ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue()
    })
    const alerts: string[] = []
    page.on('dialog', (dialog) => {
      alerts.push(`${dialog.type()}: ${dialog.message()}`)
      return dialog.accept()
    })
    await open(page, address)
    const { keyboard } = page
    await keyboard.press('Tab')
    await keyboard.press('Enter')

    await tabTo(page, 'Nome completo')
    await keyboard.type('Fulana do Teclado')
    await tabTo(page, 'E-mail')
    await keyboard.type(email)
    await tabTo(page, 'WhatsApp')
    await keyboard.type('+55 (00) 90000-0000')
    await tabTo(page, 'CPF')
    await keyboard.type(cpf)
    await tabTo(page, 'Data de nascimento')
    // The same date in any order of day and month.
    await keyboard.type('05051984')
    await tabTo(page, 'Gênero')
    await keyboard.type('Prefiro')
    await tabTo(page, 'Profissão')
    await keyboard.type('Padeira')
    await tabTo(page, 'Endereço')
    await keyboard.type('Rua Inventada, 1')
    await tabTo(page, 'Estado')
    await keyboard.type('MG')
    await tabTo(page, 'Cidade')
    await keyboard.type('sao joao del')
    await expect(page.getByRole('option', { name: 'São João del Rei' })).toBeVisible()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await tabTo(page, 'CEP')
    await keyboard.type('00000-000')
    await tabTo(page, 'Por que você quer ser líder?')
    await keyboard.type('Quero juntar a vizinhança.')
    await tabTo(page, 'Noite')
    await keyboard.press('Space')
    await tabTo(page, 'Feriados')
    await keyboard.press('Space')
    await tabTo(page, 'Li e aceito')
    await keyboard.press('Space')
    await tabTo(page, 'Enviar candidatura')
    await keyboard.press('Enter')

    await expect.poll(() => alerts).toEqual(['alert: Erro ao enviar formulário. Tente novamente.'])
    await expect(page.getByLabel('Nome completo')).toHaveValue('Fulana do Teclado')
    await expect(page.getByLabel('Feriados')).toBeChecked()
    await expect(page.getByRole('button', button)).toBeEnabled()
    await expect(page.locator('form').getByText('Erro ao enviar formulário. Tente novamente.')).toBeFocused()
    await expectAccessible(page)

    await page.getByRole('button', button).focus()
    await keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Cadastro Realizado com Sucesso!' })).toBeFocused()
    expect(sent[1]?.id).toBe(sent[0]?.id)
    expect(sent[1]?.body).toMatchObject({
      whatsapp: '+55 (00) 90000-0000',
      nascimento: '1984-05-05',
      genero: 'prefiro-nao-dizer',
      estado: 'MG',
      cidade: 'São João del Rei',
      disponibilidade: ['noite', 'feriados'],
      aceita_termos: true,
    })

    await tabTo(page, 'Voltar para o início')
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/$/)
  })
})

test('a minor is declined at the birth date before anything is sent', async ({ page }) => {
  await open(page, address)
  await fillLeader(page)
  const birthDate = page.getByLabel('Data de nascimento')
  await birthDate.fill(`${new Date().getUTCFullYear() - 17}-01-01`)
  await page.getByLabel('Manhã').check()
  await page.getByLabel('Li e aceito').check()
  let calls = 0
  await page.route('**/api/formulario-lideres', (route) => {
    calls += 1
    return route.abort()
  })
  await page.getByRole('button', button).click()

  await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
    'Data de nascimento: Obrigado pelo interesse! Para ser líder é preciso ter 18 anos ou mais',
  ])
  await expect(birthDate).toBeFocused()
  await expect(birthDate).toHaveAccessibleDescription(/18 anos ou mais.*Só maiores de 18 anos podem ser líderes/)
  await expectAccessible(page)
  expect(calls).toBe(0)
})

test('missing availability and terms get the focus and an error', async ({ page }, { project }) => {
  await open(page, address)
  await fillLeader(page)
  await page.getByRole('button', button).click()

  const summary = page.getByRole('alert').getByRole('listitem')
  await expect(summary).toHaveText([
    'Quando você pode participar? Selecione pelo menos uma opção',
    'Li e aceito que meus dados sejam usados para avaliar esta candidatura: Você deve aceitar os termos',
  ])
  await expect(page.getByLabel('Manhã')).toBeFocused()
  await expect(page.getByLabel('Manhã')).toBeInViewport({ ratio: 1 })
  await expect(
    page.getByRole('group', { name: 'Quando você pode participar? (obrigatório)' }),
  ).toHaveAccessibleDescription('Selecione pelo menos uma opção')
  await expectAccessible(page)
  await takeScreenshot(page, `lideres-erros-${project.name}`, { fullPage: true })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 422/ })

  test('errors are displayed with all data kept, and the corrected form succeeds', { tag: '@quick' }, async ({
    page,
  }) => {
    const leader = aLeader({ cpf: '123456789' })
    await page.goto(address)
    await fillLeader(page, leader)
    await page.getByLabel('Li e aceito').check()
    const [refusal] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', button).click(),
    ])

    expect(refusal.status()).toBe(422)
    await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
      'CPF deve ter 11 dígitos',
      'Quando você pode participar? Selecione pelo menos uma opção',
    ])
    await expect(page.getByLabel('CPF')).toHaveAccessibleDescription(/CPF deve ter 11 dígitos/)
    await expect(page.getByLabel('Nome completo')).toHaveValue(leader.nome)
    await expect(page.getByLabel('Data de nascimento')).toHaveValue(leader.nascimento)
    await expect(page.getByLabel('Gênero')).toHaveValue(leader.genero)
    await expect(page.getByLabel('Por que você quer ser líder?')).toHaveValue(leader.motivacao)
    await expect(page.getByLabel('Li e aceito')).toBeChecked()

    await waitForLoad(page)
    await page.getByLabel('CPF').fill('123.456.789-09')
    await page.getByLabel('Fins de semana').check()
    await page.getByRole('button', button).click()
    await expect(page).toHaveURL(/\/formulario-lideres\?obrigado(#candidatura)?$/)
    await expect(page.getByRole('heading', { name: 'Cadastro Realizado com Sucesso!' })).toBeVisible()
    await waitForLoad(page)
    for (const name of ['Compartilhar no WhatsApp', 'Telegram', 'Facebook', 'Twitter'])
      await expect(page.getByRole('main').getByRole('link', { name })).toHaveAttribute(
        'href',
        /formulario-lideres%3Fde%3D/,
      )
    await takeScreenshot(page, 'lider-obrigado', { fullPage: true })
    await page.getByRole('link', { name: 'Voltar para o início' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
})
