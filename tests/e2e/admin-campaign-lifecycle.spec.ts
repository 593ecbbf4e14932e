// The life of a campaign for an organiser, at phone and desktop width.
import type { Page } from '@playwright/test'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { backgroundHeader } from '#contract/admin/session.ts'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'
import { aCampaign } from '#tests/helpers/factories.ts'

const badge = (page: Page, name: string) => page.locator('.campaign-facts').getByText(name, { exact: true })

/** `test.info().project.name` keeps the screenshots of both widths. */
async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, `campanha-${name}-${test.info().project.name}`, { fullPage: true })
}

/** Buttons of the page head, if the toast covers them. */
const actionsUnderToast = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('.toast')?.getBoundingClientRect()
    if (!box) throw new Error('no toast')
    return [...document.querySelectorAll('.page-head button')]
      .filter((one) => {
        const other = one.getBoundingClientRect()
        return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom
      })
      .map((one) => one.textContent)
  })

test.use({ expectedErrors: /status of 400/ })

test('an organiser writes a draft, schedules it, publishes, and closes it with a result', async ({ page }) => {
  test.slow()
  const caller = await openAsAdministrator(page, '/admin/campanhas/nova')
  const slug = `praca-viva-${crypto.randomUUID()}`
  await page.getByLabel('Título *', { exact: true }).fill('Praça viva')
  await page.getByLabel('Endereço da página').fill(slug)
  await page.getByRole('textbox', { name: 'Manifesto' }).click()
  await page.keyboard.type('Queremos sombra.')
  await page.getByLabel('Meta de assinaturas').fill('5.000')
  await page.getByRole('button', { name: 'Criar campanha' }).click()
  await expect(badge(page, 'Rascunho')).toBeVisible()
  const id = Number(page.url().split('/').at(-1))
  const stored = async () =>
    (await caller.ask<{ campaign: StoredCampaign }>('GET', `/api/admin/campaigns/${id}`)).campaign
  expect(await stored()).toMatchObject({ status: 'draft', isActive: false, meta: 5_000 })

  // A time in the past is refused at its field; the clock of the page is that of Brasília.
  await page.getByLabel('Publicar em').fill('2020-01-01T09:00')
  await page.getByRole('button', { name: 'Salvar agenda' }).click()
  await expect(page.getByText('A hora de publicar já passou. Escolha uma hora futura').first()).toBeVisible()
  await page.getByLabel('Publicar em').fill('2099-01-01T09:00')
  await page.getByLabel('Encerrar em').fill('2099-02-01T18:30')
  await page.getByRole('button', { name: 'Salvar agenda' }).click()
  await expect(page.getByText('Será publicada em 01/01/2099 às 09:00. Encerra em 01/02/2099 às 18:30.')).toBeVisible()
  expect(await stored()).toMatchObject({ publishAt: '2099-01-01T09:00', closeAt: '2099-02-01T18:30' })
  await look(page, 'rascunho')

  await page.getByRole('button', { name: 'Publicar', exact: false }).click()
  await expect(badge(page, 'No ar')).toBeVisible()
  await expect(page.locator('.campaign-facts')).toBeFocused()
  await expect(page.locator('.toast')).toBeVisible()
  expect(await actionsUnderToast(page)).toEqual([])
  await takeScreenshot(page, `campanha-publicada-${test.info().project.name}`)
  await expect.poll(async () => (await page.request.get(`/p/${slug}`)).status()).toBe(200)
  const promotion = page.getByRole('region', { name: 'Divulgar' })
  await expect(promotion.getByText(`/p/${slug}`, { exact: false }).first()).toBeVisible()
  await expect(promotion.getByRole('link', { name: 'Abrir no WhatsApp' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\//,
  )
  await promotion.getByText('Código QR para cartazes').click()
  await expect(promotion.getByRole('img', { name: /Código QR de .*de=qr/ })).toBeVisible()
  await promotion.getByText('Código para pôr em outro site').click()
  await expect(promotion.getByText(`data-campanha="${slug}"`)).toBeVisible()
  await promotion.getByText('Link com origem', { exact: false }).click()
  await promotion.getByLabel('Origem').fill('feira')
  await expect(promotion.getByRole('img', { name: /Código QR de .*de=feira/ })).toBeVisible()
  await expect(promotion.getByRole('link', { name: 'Números da campanha' })).toHaveAttribute(
    'href',
    `/admin/numeros/${slug}`,
  )

  // The message is previewed while it is typed.
  await page.getByLabel('Texto para WhatsApp').fill('Vem com a gente pela praça!')
  const preview = page.locator('.share-message')
  await expect(preview).toContainText('Vem com a gente pela praça!')
  await page.getByLabel('Texto para Twitter').fill('x'.repeat(257))
  await expect(page.getByText('257 de 256 caracteres: 1 a mais')).toBeVisible()
  await page.getByLabel('Texto para Twitter').fill('Praça já!')
  await page.getByRole('group', { name: 'Rede da prévia' }).getByRole('button', { name: 'Twitter' }).click()
  await expect(preview).toContainText(/Praça já!\n.*\?de=twitter/)
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(promotion.getByText('Vem com a gente pela praça!', { exact: false })).toBeVisible()
  await look(page, 'no-ar')

  await page.getByRole('button', { name: 'Encerrar', exact: false }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click()
  await expect(badge(page, 'Encerrada')).toBeVisible()
  await expect(page.locator('.campaign-facts')).toBeFocused()
  await expect(promotion.getByText('Código para pôr em outro site')).toHaveCount(0)
  await expect(promotion.getByText('Vem com a gente', { exact: false })).toHaveCount(0)
  const result = page.getByRole('textbox', { name: 'Resultado e agradecimento' })
  await result.click()
  await page.keyboard.type('A praça vai sair. Obrigado!')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect.poll(async () => (await stored()).resultHtml).toBe('<p>A praça vai sair. Obrigado!</p>')
  await expect
    .poll(async () => (await page.request.get(`/api/campaigns/${slug}`)).json())
    .toMatchObject({ campaign: { status: 'closed', resultHtml: '<p>A praça vai sair. Obrigado!</p>' } })

  await page.getByRole('button', { name: 'Baixar PDF com a lista de nomes' }).click()
  await expect(page.getByRole('dialog')).toContainText('não publique')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Baixar com os nomes' }).click()
  expect((await downloaded).suggestedFilename()).toBe(`entrega-${slug}-com-nomes.pdf`)
  await look(page, 'encerrada')
})

test('a page that stays open shows what the schedule has done, without extending the session', async ({ page }) => {
  test.slow()
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>(
    'POST',
    '/api/admin/campaigns',
    aCampaign({ isActive: false }),
  )
  await rows(`update campaigns set "publishAt" = now() + interval '8 seconds' where id = $1`, [campaign.id])
  await page.goto(`/admin/campanhas/${campaign.id}`)
  await expect(badge(page, 'Rascunho')).toBeVisible()
  const refetch = page.waitForRequest((request) => request.url().endsWith(`/api/admin/campaigns/${campaign.id}`), {
    timeout: 30_000,
  })
  expect((await refetch).headers()[backgroundHeader]).toBe('1')
  await expect(badge(page, 'No ar')).toBeVisible({ timeout: 20_000 })
})

test('campaigns are filtered by status, ordered with the keyboard, duplicated, and a draft is deleted', async ({
  page,
}) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>(
    'POST',
    '/api/admin/campaigns',
    aCampaign({ titulo: `Ordem ${Date.now()}`, isActive: false }),
  )
  const { titulo } = campaign
  await page.goto('/admin/campanhas')
  await page.getByRole('button', { name: /^Rascunho/ }).click()
  await expect(page).toHaveURL(/situacao=draft/)
  await expect(page.getByRole('link', { name: titulo, exact: true })).toBeVisible()
  const published = page.getByRole('link', { name: 'O Brasil quer paz', exact: true })
  await expect(published).toHaveCount(0)
  await page.getByRole('button', { name: /^Todas/ }).click()
  // The neighbour among the drafts can be another campaign.
  await expect(published).toBeVisible()

  // Other tests create campaigns at the same time, so only the order of these two is known.
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: titulo, exact: true }) })
  const link = await row.locator('+ tr').getByRole('link').first().getAttribute('href')
  const neighbour = Number(link?.split('/').at(-1))
  const order = async () => {
    const { campaigns } = await caller.ask<{ campaigns: StoredCampaign[] }>('GET', '/api/admin/campaigns')
    return campaigns.map(({ id }) => id).filter((id) => id === campaign.id || id === neighbour)
  }
  expect(await order()).toEqual([campaign.id, neighbour])
  // Somebody else creates a campaign that this list does not show yet.
  await caller.ask('POST', '/api/admin/campaigns', aCampaign({ isActive: false }))
  const down = page.getByRole('button', { name: `Mover para baixo: ${titulo}` })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect.poll(order).toEqual([neighbour, campaign.id])
  await expect(down).toBeFocused()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, `campanhas-lista-${test.info().project.name}`, { fullPage: true })

  await row.getByRole('button', { name: 'Publicar' }).press('Enter')
  await expect(row.getByText('No ar', { exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: `Editar ${titulo}` })).toBeFocused()

  await page.goto(`/admin/campanhas/${campaign.id}`)
  await page.getByRole('button', { name: 'Duplicar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${titulo} (cópia)` })).toBeVisible()
  await page.getByRole('button', { name: 'Apagar rascunho' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar' }).click()
  await expect(page).toHaveURL(/\/admin\/campanhas$/)
  await expect(page.getByRole('link', { name: `${titulo} (cópia)`, exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: titulo, exact: true })).toBeVisible()
})

test.describe('two administrators', () => {
  test.use({ expectedErrors: /status of 409/ })

  test('typed times stay when somebody else has changed the schedule, and leaving asks', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    const { campaign } = await caller.ask<{ campaign: StoredCampaign }>(
      'POST',
      '/api/admin/campaigns',
      aCampaign({ isActive: false }),
    )
    await page.goto(`/admin/campanhas/${campaign.id}`)
    await page.getByLabel('Publicar em').fill('2099-03-01T09:00')
    await caller.ask('PUT', `/api/admin/campaigns/${campaign.id}/agenda`, {
      ...{ publishAt: '2099-04-01T10:00', closeAt: null },
      antes: { publishAt: null, closeAt: null },
    })
    await page.getByRole('button', { name: 'Salvar agenda' }).click()
    await expect(page.getByText('Será publicada em 01/04/2099 às 10:00.')).toBeVisible()
    await expect(page.getByText('A agenda mudou enquanto você editava', { exact: false }).first()).toBeVisible()
    await expect(page.getByLabel('Publicar em')).toHaveValue('2099-03-01T09:00')

    await page.getByRole('link', { name: 'Campanhas' }).first().click()
    const leaving = page.getByRole('dialog', { name: 'Sair sem salvar?' })
    await leaving.getByRole('button', { name: 'Continuar editando' }).click()
    await page.getByRole('button', { name: 'Salvar agenda' }).click()
    await expect(page.getByText('Será publicada em 01/03/2099 às 09:00.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Salvar agenda' })).toBeFocused()
  })
})

test('an earlier text of the manifesto is restored from the list of versions', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  type Saved = { campaign: StoredCampaign }
  const { campaign } = await caller.ask<Saved>(
    'POST',
    '/api/admin/campaigns',
    aCampaign({ manifestoHtml: '<p>Um</p>' }),
  )
  await caller.ask<Saved>('PUT', `/api/admin/campaigns/${campaign.id}`, { ...campaign, manifestoHtml: '<p>Dois</p>' })
  await page.goto(`/admin/campanhas/${campaign.id}`)
  const manifesto = page.getByRole('textbox', { name: 'Manifesto' })
  await expect(manifesto).toHaveText('Dois')
  await page.getByRole('button', { name: 'Restaurar a versão 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restaurar' }).click()
  await expect(manifesto).toHaveText('Um')
  await expect(page.getByText('3 (atual)')).toBeVisible()
  await expect(page.getByText('enquanto você editava')).toHaveCount(0)
})
