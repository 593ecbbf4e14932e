// First contentful paint of the petition page on a slow phone, compared with the same page without scripts.
import { type Browser, chromium } from '@playwright/test'
import { chromiumFlags, fullChromiumPath } from '#tests/helpers/chromium.ts'
import { servePage } from './page-copy.ts'
import { compare, type Measure } from './report.ts'
import type { Stage } from './stage.ts'

const bytesPerSecond = (megabits: number) => (megabits * 1_000_000) / 8

async function firstPaint(browser: Browser, url: string): Promise<number> {
  // A new context starts with an empty cache.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  try {
    const page = await context.newPage()
    const phone = await context.newCDPSession(page)
    await phone.send('Network.enable')
    await phone.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesPerSecond(1.6),
      uploadThroughput: bytesPerSecond(0.75),
    })
    await phone.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto(url, { waitUntil: 'load' })
    return await page.evaluate(async () => {
      const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
      while (painted() === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
      return painted() ?? Number.NaN
    })
  } finally {
    await context.close()
  }
}

export async function benchFirstPaint(stage: Stage): Promise<Measure[]> {
  const { url: databaseUrl } = await stage.createDatabase('paint')
  const { url: siteUrl } = await stage.startSite({ env: { DATABASE_URL: databaseUrl } })
  const whole = await servePage(siteUrl, { scripts: 'kept' })
  const plain = await servePage(siteUrl, { scripts: 'removed' })
  const browser = await chromium.launch({ executablePath: fullChromiumPath(), args: chromiumFlags })
  try {
    await firstPaint(browser, plain.url)
    await firstPaint(browser, whole.url)
    const pairs = []
    for (let round = 1; round <= stage.scale.rounds; round++) {
      pairs.push({ reference: await firstPaint(browser, plain.url), figure: await firstPaint(browser, whole.url) })
    }
    return [
      compare({
        name: 'First contentful paint, slow phone',
        unit: 'ms',
        reference: 'without scripts',
        rounds: pairs,
        bar: { of: 'ratio', atMost: 1.3 },
      }),
    ]
  } finally {
    await browser.close()
    await whole.close()
    await plain.close()
  }
}
