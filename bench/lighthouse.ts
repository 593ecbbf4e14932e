// npm run lighthouse: runs Lighthouse on the most visited pages, with its model of a slow phone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import lighthouse from 'lighthouse'
import { chromiumFlags, fullChromiumPath } from '#tests/helpers/chromium.ts'
import { freePort } from '#tests/helpers/postgres.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { median } from './report.ts'

const paths = ['/', '/peticao', '/p/fim-escala-6x1', '/campanhas', '/conteudos-destaque']
const bars = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const maxShift = 0.02
const maxImageBytes = 120 * 1024
const rounds = 3

type Category = keyof typeof bars
const categories = Object.keys(bars) as Category[]

async function startBrowser() {
  const port = await freePort()
  const folder = temporaryFolder()
  const child = spawn(
    fullChromiumPath(),
    ['--headless=new', ...chromiumFlags, `--remote-debugging-port=${port}`, `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: 'ignore' },
  )
  for (;;) {
    const answers = await fetch(`http://127.0.0.1:${port}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    port,
    async stop() {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface PageAudit {
  scores: Record<Category, number>
  shift: number
  largestImage: number
  complaints: string[]
}

async function auditOnce(url: string, port: number): Promise<PageAudit> {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: categories })
  if (!result) throw new Error(`no verdict on ${url}`)
  const { lhr } = result
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
  const requests = (lhr.audits['network-requests']?.details as { items?: Request[] } | undefined)?.items ?? []
  const images = requests.filter(({ resourceType }) => resourceType === 'Image')
  return {
    scores: Object.fromEntries(
      categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
    ) as PageAudit['scores'],
    shift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    largestImage: Math.max(0, ...images.map(({ transferSize }) => transferSize)),
    complaints: categories.flatMap((name) =>
      (lhr.categories[name]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${name}: ${lhr.audits[id]?.title} (${lhr.audits[id]?.displayValue ?? 'failed'})`),
    ),
  }
}

interface Request {
  resourceType: string
  transferSize: number
}

/** Audits a page several times, because the speed of the machine varies. */
async function auditPage(url: string, port: number): Promise<PageAudit> {
  const all: PageAudit[] = []
  for (let tries = 0; all.length < rounds; tries++) {
    try {
      all.push(await auditOnce(url, port))
    } catch (error) {
      // On a busy machine the trace can start too late.
      if (tries > 2 * rounds) throw error
    }
  }
  const score = (name: Category) => median(all.map(({ scores }) => scores[name]))
  return {
    scores: Object.fromEntries(categories.map((name) => [name, score(name)])) as PageAudit['scores'],
    shift: Math.max(...all.map(({ shift }) => shift)),
    largestImage: Math.max(...all.map(({ largestImage }) => largestImage)),
    complaints: [...new Set(all.flatMap(({ complaints }) => complaints))],
  }
}

const server = await startServer()
const browser = await startBrowser()
try {
  console.log(`${'page'.padEnd(24)}${categories.map((name) => name.padEnd(16)).join('')}shift   largest image`)
  for (const path of paths) {
    const { scores, shift, largestImage, complaints } = await auditPage(new URL(path, server.url).href, browser.port)
    const cells = categories.map((name) => String(scores[name]).padEnd(16)).join('')
    console.log(`${path.padEnd(24)}${cells}${shift.toFixed(3)}   ${largestImage.toLocaleString('en')} bytes`)
    for (const complaint of complaints) console.log(`  ${complaint}`)
    const met =
      categories.every((name) => scores[name] >= bars[name]) && shift <= maxShift && largestImage <= maxImageBytes
    if (!met) process.exitCode = 1
  }
  const limits = categories.map((name) => `${name} ${bars[name]}`).join(', ')
  console.log(`${process.exitCode ? 'NOT MET' : 'met'}: at least ${limits}; shift ${maxShift}, images 120 KB at most`)
} finally {
  await browser.stop()
  await server.stop()
  rmSync(server.dataDir, { recursive: true, force: true })
}
