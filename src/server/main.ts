// Starts one node, tells the operator where it is, and stops it in order.
import { tellOperator } from '#server/banner.ts'
import { ConfigError, readConfig } from '#server/core/config.ts'
import { checkListenAddress } from '#server/core/listen-address.ts'
import { createLog, describeError } from '#server/core/log.ts'
import { withSecrets } from '#server/core/secrets.ts'
import { readSite } from '#server/core/site.ts'
import { openEngine } from '#server/db/engine.ts'

/** `npm start` and systemd start the server again after a crash; a failed first start ends `npm start`. */
const exitCodes = { startFailed: 1, crashed: 70 }

async function main(): Promise<void> {
  const given = readConfig()
  const site = readSite(given.siteFile)
  await checkListenAddress(given)
  const log = createLog(given.logLevel)
  // The embedded database wakes up in a thread of its own while the rest is loaded.
  const [engine, { startNode }, { openBuild }] = await Promise.all([
    openEngine(given, log),
    import('#server/node.ts'),
    import('#server/ssr/renderer.ts'),
  ])
  // Only now is the data folder known to be ours.
  const config = engine.kind === 'embedded' ? withSecrets(given) : given
  const node = await startNode({ config, log, engine, renderer: await openBuild() })

  let stopping = false
  const stop = async (exitCode: number) => {
    // A terminal and a supervisor may each send a signal. The same signal twice ends the process at once, by its default action.
    if (stopping) return
    stopping = true
    process.exitCode = exitCode
    // A database that never answers must not keep the process.
    setTimeout(() => process.exit(exitCode || 1), 9_000).unref()
    engine.hurry()
    await node.drain()
    await node.close()
    await engine.stop()
    process.exit(exitCode)
  }
  process.once('SIGTERM', () => stop(0))
  process.once('SIGINT', () => stop(0))
  // Also receives unhandled rejections. The state of the process is unknown afterwards: open requests are answered, then it ends.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    stop(exitCodes.crashed)
  })
  // Last, because who reads it may ask us to stop at once.
  const seconds = process.uptime()
  process.stdout.write(tellOperator({ config, site, port: node.port, administrator: node.administrator, seconds }))
}

try {
  await main()
} catch (error) {
  const sentence =
    error instanceof ConfigError ? error.message : `Falha ao iniciar: ${JSON.stringify(describeError(error))}`
  process.stderr.write(`\n${sentence}\n\n`)
  process.exit(exitCodes.startFailed)
}
