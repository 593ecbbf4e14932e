// `/meus-dados` on a phone and on a computer, with and without JavaScript, and with the keyboard alone.
import { join } from 'node:path'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'

const site = process.env.SITE_URL ?? ''
const mailbox = openLocalMailbox(join(process.env.SITE_DATA ?? '', 'emails'))

async function linkTo(email: string): Promise<string> {
  const findMail = async () =>
    (await mailbox.list(500)).find(({ to, subject }) => to === email && subject === 'O link para os seus dados')
  await expect.poll(async () => (await findMail()) !== undefined, { timeout: 15_000 }).toBe(true)
  const { text = '' } = (await mailbox.read((await findMail())?.id ?? '')) ?? {}
  return site + (/\/meus-dados\/[\w-]{22}/.exec(text)?.[0] ?? '')
}

async function signAndSignUp() {
  const email = `fulana.${crypto.randomUUID()}@example.org`
  const signature = aSignature({ email, nome: `Maria ${'Comprida'.repeat(9)}` })
  await postJson(`${site}/api/campaigns/brasilquerpaz/signatures`, signature)
  await postJson(`${site}/api/contacts`, aContact({ email }))
  return signature
}

for (const [width, height] of [
  [360, 740],
  [390, 664],
  [1280, 800],
] as const)
  for (const javaScriptEnabled of [true, false]) {
    if (!javaScriptEnabled && width === 390) continue
    test.describe(`${width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      test.use({
        javaScriptEnabled,
        viewport: { width, height },
        reducedMotion: 'reduce',
        expectedErrors: /status of (404|422)/,
      })

      test('a person asks for the link, corrects, withdraws and erases', { tag: '@quick' }, async ({ page }) => {
        const heading = page.getByRole('heading', { level: 1 })
        const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
        const check = async (picture: string) => {
          if (javaScriptEnabled) await expectAccessible(page)
          await expectNoHorizontalScroll(page)
          if (javaScriptEnabled)
            await takeScreenshot(page, `meus-dados-${picture}-${width}`, { fullPage: true, scale: 'css' })
        }
        const { email } = await signAndSignUp()

        await page.goto('/')
        await page.getByRole('contentinfo').getByRole('link', { name: 'Meus dados' }).click()
        await expect(heading).toHaveText('Meus dados')
        await check('pedido')
        await page.getByLabel(/Seu e-mail/).fill(email)
        await press('Mandar o link')
        await expect(heading).toHaveText('Olhe o seu e-mail')
        await check('pedido-feito')

        await page.goto(await linkTo(email))
        await expect(heading).toHaveText('O que guardamos de você')
        await expect(page.getByText(email).first()).toBeVisible()
        await check('aberto')

        await page.getByRole('link', { name: /^Corrigir Assinatura: O Brasil quer paz/ }).click()
        await page.getByLabel(/^Nome/).fill('Zé')
        await page.getByLabel(/^Estado/).selectOption('PE')
        await check('corrigir')
        await press('Salvar a correção')
        const problem = page.getByRole('link', { name: 'Nome deve ter pelo menos 3 caracteres' })
        await expect(problem).toBeVisible()
        await expect(page.getByLabel(/^Nome/)).toHaveAttribute('aria-invalid', 'true')
        await check('corrigir-recusado')
        await page.getByLabel(/^Nome/).fill('José da Silva')
        await press('Salvar a correção')
        await expect(page.getByRole('status').filter({ hasText: 'corrigidos' })).toBeVisible()
        await expect(page.getByText('José da Silva')).toBeVisible()
        await expect(page.getByText('PE', { exact: true })).toBeVisible()
        await check('corrigido')

        await page.getByRole('link', { name: /^Retirar/ }).click()
        await check('retirar')
        await press('Retirar a assinatura')
        await expect(page.getByRole('status').filter({ hasText: 'retirada' })).toBeVisible()
        await expect(page.getByRole('link', { name: /^Retirar/ })).toHaveCount(0)

        const address = page.url()
        await page.getByRole('link', { name: 'Apagar meus dados' }).click()
        await check('apagar')
        await page.getByRole('checkbox', { name: /Quero apagar tudo/ }).check()
        await press('Apagar meus dados')
        await expect(heading).toHaveText('Dados apagados')
        await check('apagado')
        await page.goto(address)
        await expect(heading).toHaveText('Link não encontrado.')
        await expect(page.getByRole('link', { name: 'Peça outro' })).toBeVisible()
        await check('link-encerrado')
      })
    })
  }

test.describe('with the keyboard alone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })

  test('a person asks for the link, downloads the data and erases them', async ({ page }) => {
    const focused = () => page.locator(':focus')
    /** Moves forward until the element has the focus. */
    async function tabTo(name: RegExp): Promise<void> {
      for (let steps = 0; steps < 60; steps++) {
        await page.keyboard.press('Tab')
        const text = await focused().evaluate((element) => {
          const { labels } = element as HTMLInputElement
          return `${labels?.[0]?.textContent ?? ''} ${element.textContent}`.trim()
        })
        if (name.test(text)) return
      }
      throw new Error(`${name} cannot be reached`)
    }
    const { email } = await signAndSignUp()
    await page.goto('/meus-dados')
    await tabTo(/^Seu e-mail/)
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Olhe o seu e-mail')

    await page.goto(await linkTo(email))
    await tabTo(/^Baixar tudo/)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toBe('meus-dados.json')
    await tabTo(/^Apagar meus dados/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Apagar tudo')
    await tabTo(/^Quero apagar tudo/)
    await page.keyboard.press('Space')
    await tabTo(/^Apagar meus dados/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dados apagados')
  })
})
