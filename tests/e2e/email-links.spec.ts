// Links in e-mails: confirm a signature, reject it. For the unsubscribe link see email-preferences.spec.ts.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'

const site = process.env.SITE_URL ?? ''
const mailbox = openLocalMailbox(join(process.env.SITE_DATA ?? '', 'emails'))

/** Signs and returns a link of the e-mail. */
async function linkOf(path: string): Promise<string> {
  const signature = aSignature({ email: `fulana.${crypto.randomUUID()}@example.org` })
  await postJson(`${site}/api/campaigns/brasilquerpaz/signatures`, signature)
  const findMail = async () => (await mailbox.list()).find(({ to }) => to === signature.email)
  await expect.poll(async () => (await findMail()) !== undefined).toBe(true)
  const { text = '' } = (await mailbox.read((await findMail())?.id ?? '')) ?? {}
  return site + (new RegExp(`/${path}/[\\w-]{22}`).exec(text)?.[0] ?? '')
}

/** Checks accessibility and layout, and takes a screenshot. */
async function expectAccessibleLayout(page: Page, picture: string): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {}
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, `${picture}-${width}`, { fullPage: true, scale: 'css' })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, reducedMotion: 'reduce', expectedErrors: /status of 410/ })

    test('the button confirms a signature, and the link then says so', { tag: '@quick' }, async ({ page }) => {
      const link = await linkOf('confirmar')
      await page.goto(link)
      await expect(page.locator('main')).toContainText('Brasil')
      if (javaScriptEnabled) await expectAccessibleLayout(page, 'confirmar-link')
      await page.getByRole('button', { name: 'Confirmar minha assinatura' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assinatura confirmada')
      if (javaScriptEnabled) await expectAccessibleLayout(page, 'confirmar-feito')
      await page.goto(link)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Esta assinatura já está confirmada.')
      if (javaScriptEnabled) await expectAccessibleLayout(page, 'confirmar-usado')
    })

    test('"não fui eu" deletes the signature', async ({ page }) => {
      const link = await linkOf('nao-fui-eu')
      await page.goto(link)
      if (javaScriptEnabled) await expectAccessibleLayout(page, 'nao-fui-eu-link')
      await page.getByRole('button', { name: 'Apagar a assinatura' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assinatura apagada')
    })
  })
}

test.describe('an invalid link', () => {
  test.use({ expectedErrors: /status of 404/, reducedMotion: 'reduce' })

  test('shows a message', async ({ page }) => {
    await page.goto(`${site}/confirmar/um-link-de-um-e-mail-22`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Link não encontrado.')
    await expectAccessible(page)
  })
})
