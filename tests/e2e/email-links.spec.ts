// Errands that begin in the mailbox: confirming a signature, saying that it was somebody else, wanting no more e-mails.
import { join } from 'node:path'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { expect, expectAccessible, test } from '#tests/e2e/visitor.ts'
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

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, reducedMotion: 'reduce' })

    test('a signature is confirmed by its button, and again by a second press', async ({ page }) => {
      const link = await linkOf('confirmar')
      for (let times = 0; times < 2; times++) {
        await page.goto(link)
        await page.getByRole('button', { name: 'Confirmar minha assinatura' }).click()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assinatura confirmada')
      }
    })

    test('"não fui eu" takes the signature back', async ({ page }) => {
      const link = await linkOf('nao-fui-eu')
      await page.goto(link)
      await page.getByRole('button', { name: 'Apagar a assinatura' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assinatura apagada')
    })

    test('an address that wants no more e-mails says so with one button', async ({ page }) => {
      await page.goto(await linkOf('descadastrar'))
      await page.getByRole('button', { name: 'Parar os e-mails' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você não recebe mais e-mails nossos')
    })
  })
}

test.describe('a link that is worth nothing', () => {
  test.use({ expectedErrors: /status of 404/, reducedMotion: 'reduce' })

  test('says so in words', async ({ page }) => {
    await page.goto(`${site}/confirmar/um-link-de-um-e-mail-22`)
    await page.getByRole('button', { name: 'Confirmar minha assinatura' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Este link não vale mais.')
    await expectAccessible(page)
    await page.screenshot({ path: 'test-results/pictures/link-vencido.png', fullPage: true, scale: 'css' })
  })
})
