// Starts one server process, prints its addresses, and shuts it down gracefully.
import { ConfigError, readConfig } from '#server/core/config.ts'
import { checkListenAddress } from '#server/core/listen-address.ts'
import { createLog, describeError } from '#server/core/log.ts'
import '#server/core/resolve-drizzle.ts'
import { withSecrets } from '#server/core/secrets.ts'
import { readSiteFile } from '#server/core/site.ts'
import { openEngine } from '#server/db/engine.ts'

/** `npm start` and systemd restart the server after a crash. A failed first start ends `npm start`. */
const exitCodes = { startFailed: 1, crashed: 70 }

async function main(): Promise<void> {
  const baseConfig = readConfig()
  // Before the database is opened, so that a wrong file is reported at once.
  readSiteFile(baseConfig.siteFile)
  await checkListenAddress(baseConfig)
  const log = createLog(baseConfig.logLevel)
  // The embedded database opens in its own thread while the other modules are loaded. Static imports here delay it.
  const [engine, { startServer }, { formatBanner }, renderer] = await Promise.all([
    openEngine(baseConfig, log),
    import('#server/server-process.ts'),
    import('#server/banner.ts'),
    import('#server/ssr/renderer.ts').then(({ openBuild }) => openBuild()),
  ])
  // After openEngine: it has locked the data folder, so this process may write the secrets file there.
  const config = engine.kind === 'embedded' ? withSecrets(baseConfig) : baseConfig
  const server = await startServer({ config, log, engine, renderer })

  let stopping = false
  const stop = async (exitCode: number) => {
    // The terminal and the supervisor may each send a signal: the second one is ignored. The listeners run only once,
    // so the same signal sent twice ends the process at once by its default action.
    if (stopping) return
    stopping = true
    process.exitCode = exitCode
    // A database that never answers must not keep the process alive.
    setTimeout(() => process.exit(exitCode || 1), 9_000).unref()
    engine.shortenTimeouts()
    await server.drain()
    await server.close()
    await engine.stop()
    process.exit(exitCode)
  }
  process.once('SIGTERM', () => stop(0))
  process.once('SIGINT', () => stop(0))
  // Also receives unhandled rejections. The state of the process is unknown afterwards, so it answers the open requests
  // and exits.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    stop(exitCodes.crashed)
  })
  // Printed after the signal handlers are installed: the operator or a test may stop the server as soon as it appears.
  const seconds = process.uptime()
  const { site, port, administrator } = server
  process.stdout.write(formatBanner({ config, site, port, administrator, seconds }))
}

try {
  await main()
} catch (error) {
  const message =
    error instanceof ConfigError ? error.message : `Falha ao iniciar: ${JSON.stringify(describeError(error))}`
  process.stderr.write(`\n${message}\n\n`)
  process.exit(exitCodes.startFailed)
}
