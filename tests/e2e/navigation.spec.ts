import { expect, fillSignature, open, test } from '#tests/e2e/visitor.ts'

test(
  'the next page is prefetched while its link is pressed, and not before',
  { tag: '@quick' },
  async ({ page, context }, { project }) => {
    test.skip(project.name !== 'desktop', 'a mouse can be held down')
    const browser = await context.newCDPSession(page)
    const fetched: { url: string; status: string }[] = []
    // Prerendering is disabled under test automation; prefetching, its first step, is not.
    browser.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, prefetchStatus }) =>
      fetched.push({ url: prefetchUrl, status: prefetchStatus }),
    )
    await browser.send('Preload.enable')
    await open(page, '/privacidade')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Metodologia' }).hover()
    await page.waitForTimeout(500)
    expect(fetched).toEqual([])

    await page.mouse.down()
    await expect.poll(() => fetched.map(({ status }) => status)).toContain('PrefetchSuccessfulButNotUsed')
    await page.mouse.up()
    await page.waitForURL('**/metodologia')
    await expect.poll(() => fetched.map(({ status }) => status)).toContain('PrefetchResponseUsed')
    expect(new Set(fetched.map(({ url }) => new URL(url).pathname))).toEqual(new Set(['/metodologia']))
  },
)

test('parts that never change keep their elements while the page works', { tag: '@quick' }, async ({ page }) => {
  const parts = ['.header', '.petition-manifesto', '.footer-content']
  await page.addInitScript((selectors) => {
    addEventListener('DOMContentLoaded', () => {
      for (const selector of selectors)
        Object.assign(document.querySelector(selector)?.firstElementChild ?? {}, { isOriginal: true })
    })
  }, parts)
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()

  const isOriginal = (selector: string) =>
    page
      .locator(selector)
      .evaluate((part) => (part.firstElementChild as unknown as { isOriginal?: boolean }).isOriginal ?? false)
  expect(await Promise.all(parts.map(isOriginal))).toEqual([true, true, true])
})

test.describe('a dead link', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('shows a message and offers another petition', { tag: '@quick' }, async ({ page }) => {
    await open(page, '/p/campanha-que-terminou')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Campanha não encontrada')

    await page.getByRole('main').getByRole('link', { name: 'Assinar a petição' }).click()
    await expect(page.getByRole('button', { name: 'Assinar a petição' })).toBeVisible()
  })
})
