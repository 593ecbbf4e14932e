// Visitors of the site: an error, a stranger's address or a cookie on any of their pages fails the test.
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
  /** Errors that this test provokes on purpose. */
  expectedErrors: RegExp
  /** The page of somebody else, in a browser context of its own. Its `baseURL` may be another server of the test. */
  newVisitor(options?: BrowserContextOptions & Partial<Pick<Visitor, 'expectedErrors'>>): Promise<Page>
}

/** Watches every page of a context, those that are opened later too. The answer, called at the end, fails if something was wrong. */
export async function watch(
  context: BrowserContext,
  { expectedErrors, origin = siteUrl() }: { expectedErrors: RegExp; origin?: string | undefined },
): Promise<() => Promise<void>> {
  await context.addInitScript(growOld)
  const problems: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => {
    const url = request.url()
    const isOurs = url.startsWith(origin) || /^(data|blob):/.test(url)
    if (!isOurs) problems.push(`request to ${url}`)
  })
  return async () => {
    expect(problems.filter((problem) => !expectedErrors.test(problem))).toEqual([])
    expect(await context.cookies()).toEqual([])
  }
}

export const test = base.extend<Visitor>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs in this pattern, and this one needs nothing
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

/** Takes away what one of the browsers that the site is built for (`vite.config.ts`) does not have yet: no page may need it. */
function growOld(): void {
  const everyIterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
  const younger: [object, string][] = [
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
  for (const [owner, names] of younger) for (const name of names.split(' ')) Reflect.deleteProperty(owner, name)
}

/** The page once its scripts, if it has any, have taken over. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(
    () => document.documentElement.dataset.viva === 'sim' || !document.querySelector('script[data-entrada]'),
  )
}

/** Until it is there whole, a page goes back to the anchor of its address, also from under a finger, and a frame may hear no keys. */
export async function wholePage(page: Page): Promise<void> {
  for (const frame of page.frames()) await frame.waitForLoadState()
}

/** What goes there waits until it is let go. */
export async function holdBack(page: Page, path: string, method = 'GET'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return resolve
}

/** What the worker fetches for the page cannot be held back by a test. */
export async function withoutWorker(page: Page): Promise<void> {
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

export async function shownCount(page: Page | FrameLocator): Promise<number> {
  const text = await page.locator('.counter .hidden').first().textContent()
  return Number(text?.replaceAll('.', ''))
}

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // In one page, and without a list of what is right: a third of the time. Only into frames of our own can it look like this.
    .setLegacyMode(!hasForeignFrame(page))
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

function hasForeignFrame(page: Page): boolean {
  const { origin } = new URL(page.url())
  return page.frames().some((frame) => /^http/.test(frame.url()) && new URL(frame.url()).origin !== origin)
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}

/** On a bad network the faces come after the words. */
export async function holdFonts(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
}

/** What was read or pressed a moment ago is still in its place. */
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

/** Bytes cost money: no single image may be heavy. */
export async function expectLightImages(page: Page): Promise<void> {
  const heavy = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ initiatorType, encodedBodySize }) => initiatorType === 'img' && encodedBodySize > 120 * 1024)
      .map(({ name, encodedBodySize }) => `${name}: ${encodedBodySize}`),
  )
  expect(heavy).toEqual([])
}

/** Images wait until somebody scrolls to them; here they are all asked for, and a broken one fails the test. */
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

/** A picture to look at, made only with `PICTURES=on`: taking it is slow and proves nothing by itself. */
export async function takePicture(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (process.env.PICTURES === 'on') await page.screenshot({ ...options, path: `test-results/pictures/${name}.png` })
}
