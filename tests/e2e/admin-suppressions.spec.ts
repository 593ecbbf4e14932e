// The list of suppressed addresses in the admin area, on a phone and on a computer.
import { addressHmacSql } from '#server/db/mailbox.ts'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

/** Addresses of this test: other tests may run at the same time. */
async function suppress(domain: string, kinds: [string, string | null][]): Promise<string[]> {
  const emails = kinds.map((_, n) => `pessoa.com.um.nome.comprido.${n}@${domain}`)
  for (const [n, email] of emails.entries())
    await rows(
      `insert into enderecos ("addressHmac", "rejectedAt", "suppressionKind", "suppressionDetail", "suppressedEmail")
      values (${addressHmacSql('$4')}, now() - $1 * interval '1 hour', $2, $3, $4)`,
      [n, ...(kinds[n] ?? []), email],
    )
  return emails
}
const aDomain = () => `${crypto.randomUUID().slice(0, 8)}.example.org`
const path = '/admin/enderecos-suspensos'

for (const width of [360, 1280])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })

    test('an organiser finds an address with its reason, and allows it again', { tag: '@quick' }, async ({ page }) => {
      const domain = aDomain()
      const reply =
        'O servidor de e-mail respondeu: 550 5.1.1 <…>: Recipient address rejected: User unknown in virtual mailbox table'
      const [first = '', second = ''] = await suppress(domain, [
        ['recusa', reply],
        ['reclamacao', null],
        ['devolucao', 'No such mailbox'],
      ])
      const screenshot = (name: string) =>
        takeScreenshot(page, `enderecos-suspensos-${name}-${width}`, { fullPage: true, animations: 'disabled' })

      await openAsAdministrator(page, '/admin/sistema')
      await page.getByRole('link', { name: /^Ver [\d.]+ endereços? suspensos?$/ }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Endereços suspensos')
      await page.getByRole('searchbox', { name: 'Endereço ou parte dele' }).fill(domain.toUpperCase())
      await expect(page).toHaveURL(/busca=/)
      const line = (email: string) => page.getByRole('row').filter({ hasText: email })
      await expect(page.getByText('3 endereços', { exact: true })).toBeVisible()
      await expect(line(first)).toContainText('Recusado pelo servidor de e-mail')
      await expect(line(first)).toContainText('User unknown')
      await expect(line(second)).toContainText('Marcado como spam')
      await expectAccessible(page)
      await expectNoHorizontalScroll(page)
      await screenshot('lista')

      await page.getByRole('button', { name: `Permitir de novo: ${second}` }).click()
      const dialog = page.getByRole('dialog', { name: 'Permitir de novo' })
      await expect(dialog).toContainText(second)
      await expect(dialog).toContainText('continua fora das novidades')
      await expectAccessible(page)
      await screenshot('confirmar')
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
      await expect(line(second)).toBeVisible()
      await page.getByRole('button', { name: `Permitir de novo: ${second}` }).click()
      await dialog.getByRole('button', { name: 'Permitir de novo' }).click()

      await expect(line(second)).toHaveCount(0)
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText('2 endereços', { exact: true })).toBeVisible()
      expect(await page.evaluate(() => document.activeElement?.className)).toBe('suppressions')
      expect(await rows('select 1 from enderecos where "suppressedEmail" = $1', [second])).toEqual([])
    })

    test('shows what it loads, that nothing is found, and errors', async ({ page }) => {
      const release = await holdRequests(page, '/api/admin/enderecos-suspensos?*')
      await openAsAdministrator(page, `${path}?busca=${aDomain()}`)
      await expect(page.getByText('Carregando...')).toBeAttached()
      await expectAccessible(page)
      await release()
      await expect(page.getByText('Nenhum endereço suspenso com esse texto.')).toBeVisible()
      await expectAccessible(page)
      await takeScreenshot(page, `enderecos-suspensos-nada-${width}`, { fullPage: true, animations: 'disabled' })
    })
  })

test.describe('when the server does not answer', () => {
  test.use({ expectedErrors: /503|Failed to load resource/ })

  test('an error is shown, and another attempt loads the list', async ({ page }) => {
    const [email = ''] = await suppress(aDomain(), [['recusa', null]])
    await page.route('**/api/admin/enderecos-suspensos?*', (route) =>
      route.fulfill({ status: 503, json: { success: false, code: 'unavailable', message: 'Fora do ar.' } }),
    )
    await openAsAdministrator(page, `${path}?busca=${email}`)
    await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible()
    await expectAccessible(page)
    await takeScreenshot(page, 'enderecos-suspensos-erro', { fullPage: true, animations: 'disabled' })
    await page.unroute('**/api/admin/enderecos-suspensos?*')
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByText('1 endereço', { exact: true })).toBeVisible()
  })
})
