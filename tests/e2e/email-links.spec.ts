// Errands that begin in the mailbox: confirming a signature, saying that it was somebody else, wanting no more e-mails.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, takePicture, test } from '#tests/e2e/visitor.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'

const site = process.env.SITE_URL ?? ''
const mailbox = openLocalMailbox(join(process.env.SITE_DATA ?? '', 'emails'))

/** Signs and answers where a link of the mail leads. */
async function linkOf(path: string): Promise<string> {
  const signature = aSignature({ email: `fulana.${crypto.randomUUID()}@example.org` })
  await postJson(`${site}/api/campaigns/brasilquerpaz/signatures`, signature)
  const mine = async () => (await mailbox.list()).find(({ to }) => to === signature.email)
  await expect.poll(async () => (await mine()) !== undefined).toBe(true)
  const { text = '' } = (await mailbox.read((await mine())?.id ?? '')) ?? {}
  return site + (new RegExp(`/${path}/[\\w-]{22}`).exec(text)?.[0] ?? '')
}

/** What holds on every page, and a picture to look at. */
async function expectSound(page: Page, picture: string): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {}
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await takePicture(page, `${picture}-${width}`, { fullPage: true, scale: 'css' })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, reducedMotion: 'reduce', expectedErrors: /status of 410/ })

    test('a signature is confirmed by its button, and the link then says that it is', { tag: '@quick' }, async ({
      page,
    }) => {
      const link = await linkOf('confirmar')
      await page.goto(link)
      await expect(page.locator('main')).toContainText('Brasil')
      if (javaScriptEnabled) await expectSound(page, 'confirmar-link')
      await page.getByRole('button', { name: 'Confirmar minha assinatura' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assinatura confirmada')
      if (javaScriptEnabled) await expectSound(page, 'confirmar-feito')
      await page.goto(link)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Esta assinatura já está confirmada.')
      if (javaScriptEnabled) await expectSound(page, 'confirmar-usado')
    })

    test('"não fui eu" takes the signature back', async ({ page }) => {
      const link = await linkOf('nao-fui-eu')
      await page.goto(link)
      if (javaScriptEnabled) await expectSound(page, 'nao-fui-eu-link')
      await page.getByRole('button', { name: 'Apagar a assinatura' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assinatura apagada')
    })

    test('a mailbox leaves the news with one button, and every e-mail with another', async ({ page }) => {
      await page.goto(await linkOf('descadastrar'))
      if (javaScriptEnabled) await expectSound(page, 'descadastrar-link')
      await page.getByRole('button', { name: 'Parar as novidades' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você saiu das novidades')
      if (javaScriptEnabled) await expectSound(page, 'descadastrar-feito')
      await page.getByRole('button', { name: 'Nunca mais me escrevam' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Não escrevemos mais para você')
      if (javaScriptEnabled) await expectSound(page, 'descadastrar-nunca')
    })
  })
}

test.describe('a link that is worth nothing', () => {
  test.use({ expectedErrors: /status of 404/, reducedMotion: 'reduce' })

  test('says so in words', async ({ page }) => {
    await page.goto(`${site}/confirmar/um-link-de-um-e-mail-22`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Link não encontrado.')
    await expectAccessible(page)
  })
})
