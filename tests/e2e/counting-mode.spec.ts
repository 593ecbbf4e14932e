// A campaign that counts only confirmed signatures: the choice in the admin area, and what a visitor sees.
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { asAdministrator, createCampaign, openAsAdministrator } from '#tests/e2e/admin.ts'
import {
  displayedCount,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  fillSignature,
  open,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

test('the organiser chooses the mode with the keyboard and sees what the counter will show', async ({ page }) => {
  test.slow()
  const admin = await asAdministrator()
  const campaign = await createCampaign(admin, { baseCount: 1_200 })
  await openAsAdministrator(page, `/admin/campanhas/${campaign.id}`)
  const choice = page.getByRole('group', { name: 'Quando a assinatura entra no contador' })
  await expect(choice.getByRole('radio', { name: 'Ao assinar' })).toBeChecked()
  await expect(choice).toContainText('Dá para mudar depois')

  await choice.getByRole('radio', { name: 'Ao assinar' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(choice.getByRole('radio', { name: 'Só depois de confirmada por e-mail' })).toBeChecked()
  await expect(choice.getByRole('status')).toContainText('o contador público continua em 1.200')
  for (const [width, height] of [
    [360, 740],
    [390, 664],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoHorizontalScroll(page)
    await choice.scrollIntoViewIfNeeded()
    await takeScreenshot(page, `contagem-escolha-${width}`)
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByText('Há mudanças não salvas')).toBeHidden()
  await expect(choice).toContainText('Dá para mudar depois')
  const { campaign: stored } = await admin.ask<{ campaign: StoredCampaign }>(
    'GET',
    `/api/admin/campaigns/${campaign.id}`,
  )
  expect(stored.countingMode).toBe('confirmed')
})

test('after signing, the counter stays and the thank-you view asks for the confirmation', async ({ page }) => {
  const { slug } = await createCampaign(await asAdministrator(), { baseCount: 50, countingMode: 'confirmed' })
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, `/p/${slug}`)
  await expect(page.locator('.counter')).toContainText('assinaturas confirmadas')
  const before = await displayedCount(page)
  await fillSignature(page)
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
  await expect(page.getByText('a sua assinatura entra na contagem quando você tocar no botão dele')).toBeVisible()
  expect(await displayedCount(page)).toBe(before)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'contagem-obrigado-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await takeScreenshot(page, 'contagem-obrigado-1280')
})

test('the embedded form keeps its counter too', async ({ page }) => {
  const { slug } = await createCampaign(await asAdministrator(), { countingMode: 'confirmed' })
  await page.goto(`/embed/${slug}`)
  await expect(page.locator('.counter')).toContainText('Seja a primeira pessoa a confirmar')
  await fillSignature(page)
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  await expect(page.locator('.counter')).toContainText('Seja a primeira pessoa a confirmar')
})

test('the privacy page explains what the counter can reveal', async ({ page }) => {
  await open(page, '/privacidade')
  await expect(page.getByRole('heading', { name: 'O que o contador pode revelar' })).toBeVisible()
  await expectAccessible(page)
})
