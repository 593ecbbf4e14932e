// Fixtures for visitors: a console error, a request to a foreign origin or a cookie fails the test.
import AxeBuilder from '@axe-core/playwright'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type FrameLocator,
  type Page,
  type PageScreenshotOptions,
} from '@playwright/test'
import { aSignature, type SignatureFields } from '#tests/helpers/factories.ts'

export { expect }

export const siteUrl = () => String(process.env.SITE_URL)

interface Visitor {
  /** Errors that the test provokes. */
  expectedErrors: RegExp
  /** A page in a new browser context. Its `baseURL` may be another server of the test. */
  newVisitor(options?: BrowserContextOptions & Partial<Pick<Visitor, 'expectedErrors'>>): Promise<Page>
}

/**
 * Watches every page of a context, including later ones. Call the result at the end: it fails if there was a problem.
 */
export async function watch(
  context: BrowserContext,
  { expectedErrors, origin = siteUrl() }: { expectedErrors: RegExp; origin?: string | undefined },
): Promise<() => Promise<void>> {
  await context.addInitScript(removeNewFeatures)
  const problems: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => {
    const url = request.url()
    const isOwn = url.startsWith(origin) || /^(data|blob):/.test(url)
    if (!isOwn) problems.push(`request to ${url}`)
  })
  return async () => {
    expect(problems.filter((problem) => !expectedErrors.test(problem))).toEqual([])
    expect(await context.cookies()).toEqual([])
  }
}

export const test = base.extend<Visitor>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern, and this fixture needs no other one
  baseURL: async ({}, use) => use(siteUrl()),
  expectedErrors: [/^$/, { option: true }],
  context: async ({ context, expectedErrors }, use) => {
    const check = await watch(context, { expectedErrors })
    await use(context)
    await check()
  },
  newVisitor: async ({ browser, expectedErrors }, use) => {
    const contexts: BrowserContext[] = []
    const checks: (() => Promise<void>)[] = []
    await use(async ({ expectedErrors: expected = expectedErrors, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: siteUrl(), ...options })
      contexts.push(context)
      checks.push(await watch(context, { expectedErrors: expected, origin: options.baseURL }))
      return context.newPage()
    })
    for (const check of checks) await check()
    for (const context of contexts) await context.close()
  },
})

/** Removes features that one of the supported browsers (`vite.config.ts`) lacks: no page may need them. */
function removeNewFeatures(): void {
  const everyIterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
  const newFeatures: [object, string][] = [
    [Array, 'fromAsync'],
    [Array.prototype, 'toReversed toSorted toSpliced with'],
    [Object, 'groupBy'],
    [Map, 'groupBy'],
    [Set.prototype, 'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union'],
    [everyIterator, 'drop every filter find flatMap forEach map reduce some take toArray'],
    [Promise, 'try withResolvers'],
    [String.prototype, 'isWellFormed toWellFormed'],
    [RegExp, 'escape'],
    [Uint8Array, 'fromBase64 fromHex'],
    [Uint8Array.prototype, 'toBase64 toHex'],
    [Intl, 'DurationFormat Segmenter'],
    [URL, 'canParse parse'],
    [URLSearchParams.prototype, 'size'],
    [AbortSignal, 'any'],
  ]
  for (const [owner, names] of newFeatures) for (const name of names.split(' ')) Reflect.deleteProperty(owner, name)
}

/** Opens a page and waits until its scripts, if any, have hydrated it. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(
    () => document.documentElement.dataset.viva === 'sim' || !document.querySelector('script[data-entrada]'),
  )
}

/**
 * Before the load event, a page may scroll back to the anchor of its URL, even under a pressed pointer, and a frame
 * may ignore keys.
 */
export async function waitForLoad(page: Page): Promise<void> {
  for (const frame of page.frames()) await frame.waitForLoadState()
}

/** Holds matching requests until the returned function is called. */
export async function holdRequests(page: Page, path: string, method = 'GET'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return resolve
}

/** A test cannot hold requests of the service worker. */
export async function disableServiceWorker(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'serviceWorker', { value: undefined }))
}

export async function fillSignature(
  page: Page | FrameLocator,
  fields: Partial<SignatureFields> = {},
): Promise<SignatureFields> {
  const signature = aSignature(fields)
  await page.getByLabel('Nome completo').fill(signature.nome)
  await page.getByLabel('E-mail').fill(signature.email)
  await page.getByLabel('WhatsApp', { exact: false }).first().fill(signature.whatsapp)
  await page.getByLabel('Estado').selectOption(signature.estado)
  await page.getByLabel('Cidade').fill(signature.cidade)
  return signature
}

export async function displayedCount(page: Page | FrameLocator): Promise<number> {
  const text = await page.locator('.counter .hidden').first().textContent()
  return Number(text?.replaceAll('.', ''))
}

/** `exclude`: a frame that shows another page is checked as that page. */
export async function expectAccessible(page: Page, { exclude }: { exclude?: string } = {}): Promise<void> {
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await endAnimations(page)
  const { violations } = await (exclude ? axe(page).exclude(exclude) : axe(page))
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const problems: string[] = []
  for (const { id, nodes } of violations)
    for (const { html, target } of nodes)
      if (id !== 'target-size' || (await isTooSmall(page, target))) problems.push(`${id}: ${html}`)
  expect(problems).toEqual([])
}

function axe(page: Page): AxeBuilder {
  return (
    new AxeBuilder({ page })
      // Legacy mode and violations only take a third of the time. Legacy mode works only if all frames have our origin.
      .setLegacyMode(!hasForeignFrame(page))
      .options({ resultTypes: ['violations'] })
  )
}

/** Colours and sizes during an animation are those of no state. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
}

/**
 * Measures a control in the middle of the window. Elsewhere a sticky bar may cover a part of it, depending on what the
 * page displays above it.
 */
async function isTooSmall(page: Page, target: readonly unknown[]): Promise<boolean> {
  const [selector, ...inner] = target
  // Controls of frames and shadow roots are reported as they are.
  if (typeof selector !== 'string' || inner.length > 0) return true
  await page.locator(selector).evaluate((control) => control.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const { violations } = await axe(page).include(selector).withRules(['target-size']).analyze()
  return violations.length > 0
}

function hasForeignFrame(page: Page): boolean {
  const { origin } = new URL(page.url())
  return page.frames().some((frame) => /^http/.test(frame.url()) && new URL(frame.url()).origin !== origin)
}

export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}

/** Delays web fonts, as on a slow network. */
export async function delayFonts(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
}

/** The layout must not shift. */
export async function expectNoShift(page: Page): Promise<void> {
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      }),
  )
  expect(shift).toBeLessThanOrEqual(0.02)
}

/** Mobile data is expensive: no single image may be large. */
export async function expectSmallImages(page: Page): Promise<void> {
  const heavy = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ initiatorType, encodedBodySize }) => initiatorType === 'img' && encodedBodySize > 120 * 1024)
      .map(({ name, encodedBodySize }) => `${name}: ${encodedBodySize}`),
  )
  expect(heavy).toEqual([])
}

/** Loads all lazy images. A broken one fails the test. */
export async function loadEveryImage(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      Array.from(document.images, (image) => {
        image.loading = 'eager'
        return image.decode()
      }),
    ),
  )
}

/** Takes a screenshot, only with `PICTURES=on`: it is slow and checks nothing. */
export async function takeScreenshot(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (process.env.PICTURES === 'on') await page.screenshot({ ...options, path: `test-results/pictures/${name}.png` })
}
