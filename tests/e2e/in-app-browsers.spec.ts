// Browsers inside apps, and browsers without newer features.
import { displayedCount, expect, fillSignature, open, test } from '#tests/e2e/visitor.ts'

const android = 'Mozilla/5.0 (Linux; Android 13; SM-A145M'
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const apps = {
  'an Android WebView': `${android}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36`,
  'Facebook on Android': `${android}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.63.82;]`,
  'Instagram on an iPhone': `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} Instagram 355.0.0.28.76`,
  'a WebView of an iPhone': `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit}`,
}

for (const [name, userAgent] of Object.entries(apps))
  test.describe(name, () => {
    test.use({ userAgent })

    test('downloads an image with a plain link', async ({ page }) => {
      const blobs: string[] = []
      await page.exposeFunction('recordBlob', (kind: string) => blobs.push(kind))
      await page.addInitScript(() => {
        const { recordBlob } = window as unknown as { recordBlob(kind: string): void }
        URL.createObjectURL = (value) => {
          recordBlob(value.constructor.name)
          return 'blob:nothing'
        }
      })
      await open(page, '/conteudos-destaque')
      const link = page.getByRole('link', { name: 'Baixar imagem: Baixa esse juro!' })
      await expect(link).not.toHaveAttribute('download')
      await expect(link).not.toHaveAttribute('target')
      const download = page.waitForEvent('download')
      await link.click()
      const file = await download
      expect(file.url()).toMatch(/\/media\/[0-9a-f]{64}\.png\?baixar=/)
      expect(file.suggestedFilename()).toBe('Baixa_esse_juro_.png')
      expect(blobs).toEqual([])
    })
  })

/** Removes features before any script of the page runs. */
function remove(features: string[]): void {
  const owners: Record<string, object> = {
    serviceWorker: Navigator.prototype,
    indexedDB: window,
    share: Navigator.prototype,
    canShare: Navigator.prototype,
    locks: Navigator.prototype,
  }
  for (const name of features) Reflect.deleteProperty(owners[name] as object, name)
}

const features = {
  'a service worker': ['serviceWorker'],
  IndexedDB: ['indexedDB'],
  'Web Share': ['share', 'canShare'],
  'Web Locks': ['locks'],
}
const cases = { ...features, 'any of these': Object.values(features).flat() }

for (const [name, removed] of Object.entries(cases)) {
  test.describe(`without ${name}`, () => {
    // A request that begins while the network is switched off may fail with either.
    test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })

    test('a petition is signed and counted', async ({ page }) => {
      await page.addInitScript(remove, removed)
      await open(page, '/brasilquerpaz')
      const left = await page.evaluate(
        (names) => names.filter((feature) => feature in (feature === 'indexedDB' ? window : navigator)),
        removed,
      )
      expect(left).toEqual([])
      const before = await displayedCount(page)
      await fillSignature(page)
      await page.getByRole('button', { name: 'Assinar a petição' }).click()
      await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
      await expect.poll(() => displayedCount(page)).toBeGreaterThan(before)
    })

    test('a failed submission keeps the data, and the next one succeeds', async ({ page, context }) => {
      await page.addInitScript(remove, removed)
      await open(page, '/brasilquerpaz')
      const { nome } = await fillSignature(page)
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Assinar a petição' }).click()
      if (removed.includes('indexedDB')) {
        await expect(page.locator('.problems')).toBeVisible()
        await expect(page.getByLabel('Nome completo')).toHaveValue(nome)
        await context.setOffline(false)
        await page.getByRole('button', { name: 'Assinar a petição' }).click()
      } else {
        await expect(page.getByRole('heading', { name: /está guardada/ })).toBeVisible()
        // The page detects by itself that the network is back.
        await context.setOffline(false)
      }
      await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
    })
  })
}
