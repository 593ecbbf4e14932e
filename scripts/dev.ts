// Development server: Vite serves and reloads the pages and loads the server code, so that an edit needs no restart.
// The database stays open.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import type { CreatePageTable } from '#contract/page.ts'
import { formatBanner } from '#server/banner.ts'
import { type Config, ConfigError, readConfig } from '#server/core/config.ts'
import { checkListenAddress } from '#server/core/listen-address.ts'
import { createLog } from '#server/core/log.ts'
import { withSecrets } from '#server/core/secrets.ts'
import { openEngine } from '#server/db/engine.ts'
import type { RunningServer, startServer } from '#server/server-process.ts'
import type { Renderer } from '#server/ssr/renderer.ts'

async function developmentRenderer(vite: ViteDevServer): Promise<Renderer> {
  const entry = async () =>
    (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as { createPageTable: CreatePageTable }
  const head = await vite.transformIndexHtml('/', '<html><head></head><body></body></html>')
  const { createPageTable } = await entry()
  return {
    build: 'dev',
    createPageTable: (tools) => ({
      routes: createPageTable(tools).routes,
      prepare: async (request) => (await entry()).createPageTable(tools).prepare(request),
      prepareErrorPage: async (problem) => (await entry()).createPageTable(tools).prepareErrorPage(problem),
    }),
    assetsOf: (source) => ({
      styles: '',
      styleHash: '',
      boot: '/src/web/entry-boot.ts',
      framed: '/src/web/entry-framed.ts',
      links: '/src/web/entry-links.ts',
      script: '/src/web/entry-browser.tsx',
      page: `/${source}`,
      preloads: [],
      font: undefined,
    }),
    adminAssets: { script: '/src/web/entry-admin.tsx', preloads: [], styles: [] },
    previewAssets: { script: '/src/web/entry-preview.tsx', preloads: [], styles: [] },
    prelude: /<head>(.*)<\/head>/s.exec(head)?.[1] ?? '',
    policy:
      "default-src 'self' data:; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws:",
    async attach(app) {
      await app.register(import('@fastify/middie'))
      app.use(vite.middlewares)
    },
  }
}

/** With --correio, e-mails go to a local SMTP server, which stores them as HTML files to look at. */
async function withLocalSmtp(config: Config): Promise<Config> {
  if (!process.argv.includes('--correio')) return config
  const { startSmtp } = await import('#tests/helpers/smtp.ts')
  const { default: PostalMime } = await import('postal-mime')
  const folder = join(config.dataDir, 'correio')
  mkdirSync(folder, { recursive: true })
  const smtp = await startSmtp({
    async onMail({ raw }) {
      const { subject, html = '' } = await PostalMime.parse(raw)
      const file = join(folder, `${Date.now()}.html`)
      writeFileSync(file, html)
      process.stdout.write(`E-mail entregue: ${subject}\n  ${pathToFileURL(file)}\n`)
    },
  })
  return { ...config, smtpUrl: smtp.url }
}

/** With --planilha, records go to a simulated Google Sheets with an HTML view. It loses them when it stops. */
async function withSpreadsheet(config: Config): Promise<Config> {
  if (!process.argv.includes('--planilha')) return config
  const { startSheetsServer } = await import('#tests/helpers/sheets-server.ts')
  const folder = join(config.dataDir, 'planilha-de-prova')
  mkdirSync(folder, { recursive: true })
  const { env } = await startSheetsServer({ folder })
  const { googleSheetsId, googleServiceAccount, googleSheetsUrl } = readConfig(env)
  return { ...config, googleSheetsId, googleServiceAccount, googleSheetsUrl }
}

async function develop(): Promise<void> {
  const baseConfig = readConfig()
  await checkListenAddress(baseConfig)
  const engine = await openEngine(baseConfig)
  const ownConfig = engine.kind === 'embedded' ? withSecrets(baseConfig) : baseConfig
  const config = await withSpreadsheet(await withLocalSmtp(ownConfig))
  const log = createLog(config.logLevel)
  const vite = await createServer({ server: { middlewareMode: true }, logLevel: 'warn' })

  async function start(): Promise<RunningServer> {
    const server = (await vite.ssrLoadModule('/src/server/server-process.ts')) as { startServer: typeof startServer }
    return server.startServer({ config, log, engine, renderer: await developmentRenderer(vite), refreshMs: 0 })
  }

  let node: RunningServer | undefined = await start()
  const { port, administrator, site } = node
  let lastRestart = Promise.resolve()
  process.stdout.write(formatBanner({ config, site, port, administrator, seconds: process.uptime() }))

  // Vite reloads pages by itself. Changes of routes or server code need a new application.
  const serverSources = [
    join(vite.config.root, 'src/server'),
    join(vite.config.root, 'src/contract'),
    join(vite.config.root, 'src/web/routes.tsx'),
  ]
  vite.watcher.on('change', (file) => {
    if (!serverSources.some((path) => file.startsWith(path))) return
    lastRestart = lastRestart.then(async () => {
      const startedAt = performance.now()
      try {
        await node?.close()
        node = undefined
        vite.environments.ssr.moduleGraph.invalidateAll()
        node = await start()
        process.stdout.write(`Servidor refeito em ${Math.round(performance.now() - startedAt)} ms\n`)
      } catch (error) {
        vite.ssrFixStacktrace(error as Error)
        process.stderr.write(`${(error as Error).stack}\nCorrija e salve de novo.\n`)
      }
    })
  })

  const stop = async () => {
    setTimeout(() => process.exit(1), 5_000).unref()
    await node?.close()
    await vite.close()
    await engine.stop()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

try {
  await develop()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`\n${error.message}\n\n`)
  process.exit(1)
}
