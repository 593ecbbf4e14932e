// The hero image of a campaign: the layout does not shift while it loads.
import { asAdministrator, createCampaign } from '#tests/e2e/admin.ts'
import {
  expect,
  expectNoHorizontalScroll,
  expectNoShift,
  holdRequests,
  loadEveryImage,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'

test('the layout does not shift when the hero image loads, and a phone gets the small format', {
  tag: '@quick',
}, async ({ page }) => {
  const caller = await asAdministrator()
  const answer = await fetch(`${siteUrl()}/api/admin/imagens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}` },
    body: imageForm(await aPicture('jpeg', { width: 1200, height: 900 })),
  })
  const { imagemUrl } = (await answer.json()) as { imagemUrl: string }
  const campaign = await createCampaign(caller, { heroImageUrl: imagemUrl })

  const release = await holdRequests(page, '/media/*')
  await page.goto(`/p/${campaign.slug}`, { waitUntil: 'domcontentloaded' })
  const counter = page.locator('.counter')
  // The first layout requests the fonts.
  await page.evaluate(() => document.body.getBoundingClientRect() && document.fonts.ready.then(() => {}))
  const before = await counter.boundingBox()
  release()
  await loadEveryImage(page)
  expect(await counter.boundingBox()).toEqual(before)
  await expectNoShift(page)
  await expectNoHorizontalScroll(page)
  const chosen = await page.locator('.petition-image').evaluate((image: HTMLImageElement) => image.currentSrc)
  expect(chosen).toMatch(/\.640\.webp$/)

  for (const [width, height] of [
    [360, 640],
    [390, 664],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page, `/p/${campaign.slug}`)
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `imagem-da-campanha-${width}`, { scale: 'css' })
  }
})
