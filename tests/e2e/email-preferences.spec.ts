// The preferences page of the unsubscribe link, on a phone and on a computer, with and without JavaScript.
import { join } from 'node:path'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'

const site = process.env.SITE_URL ?? ''
const mailbox = openLocalMailbox(join(process.env.SITE_DATA ?? '', 'emails'))

async function linkTo(email: string, path: string): Promise<string> {
  const findMail = async () => (await mailbox.list()).find(({ to }) => to === email)
  await expect.poll(async () => (await findMail()) !== undefined).toBe(true)
  const { text = '' } = (await mailbox.read((await findMail())?.id ?? '')) ?? {}
  return site + (new RegExp(`/${path}/[\\w-]{22}`).exec(text)?.[0] ?? '')
}

const anAddress = () => `fulana.${crypto.randomUUID()}@example.org`

async function sign(): Promise<string> {
  const signature = aSignature({ email: anAddress(), aceitaNovidades: true })
  await postJson(`${site}/api/campaigns/brasilquerpaz/signatures`, signature)
  return linkTo(signature.email, 'descadastrar')
}

for (const width of [360, 1280])
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`${width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      test.use({
        javaScriptEnabled,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
        expectedErrors: /status of 410/,
      })

      test('the owner of a mailbox leaves the news of a campaign, comes back, and leaves for good', {
        tag: '@quick',
      }, async ({ page }) => {
        const heading = page.getByRole('heading', { level: 1 })
        const choice = (name: string | RegExp) => page.getByRole('radio', { name })
        const save = () => page.getByRole('button', { name: 'Salvar' }).click()
        const check = async (picture: string) => {
          if (javaScriptEnabled) await expectAccessible(page)
          await expectNoHorizontalScroll(page)
          if (javaScriptEnabled)
            await takeScreenshot(page, `preferencias-${picture}-${width}`, { fullPage: true, scale: 'css' })
        }

        await page.goto(await sign())
        await expect(heading).toHaveText('O que você quer receber?')
        await expect(choice(/^Todas as novidades/)).toBeChecked()
        await check('aberta')

        // The whole line is the label.
        await page.getByText('Só as das outras campanhas.').click()
        await expect(choice(/^Todas, menos as de/)).toBeChecked()
        await save()
        await expect(heading).toHaveText('Sem novidades desta campanha')
        await expect(choice(/^Todas, menos as de/)).toBeChecked()
        await check('sem-campanha')

        await choice(/^Todas as novidades/).check()
        await save()
        await expect(heading).toHaveText('Você recebe as novidades')
        await expect(choice(/^Todas as novidades/)).toBeChecked()

        await choice(/^Nunca mais me escrevam/).check()
        await save()
        await expect(heading).toHaveText('Não escrevemos mais para você')
        await expect(page.getByRole('radio')).toHaveCount(0)
        await check('nunca')

        await page.goto(page.url())
        await expect(heading).toHaveText('Já não escrevemos para este endereço.')
      })
    })
  }

test.describe('on a phone', () => {
  test.use({ reducedMotion: 'reduce', expectedErrors: /status of 410/ })

  test('a choice is made with the keyboard alone', async ({ page }) => {
    await page.goto(await sign())
    const current = page.getByRole('radio', { name: /^Todas as novidades/ })
    while (!(await current.evaluate((radio) => radio === document.activeElement))) await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você saiu das novidades')
  })

  test('a volunteer who wants news confirms the address', { tag: '@quick' }, async ({ page }) => {
    const contact = aContact({ email: anAddress(), aceitaNovidades: true })
    await postJson(`${site}/api/contacts`, contact)
    const link = await linkTo(contact.email, 'confirmar')
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirme o seu e-mail')
    await expectAccessible(page)
    await takeScreenshot(page, 'confirmar-cadastro', { fullPage: true, scale: 'css' })
    await page.getByRole('button', { name: 'Confirmar e receber novidades' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agora você recebe novidades')
    await expectAccessible(page)
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você já recebe novidades.')
  })
})
