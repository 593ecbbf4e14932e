// Starts one node, tells the operator where it is, and stops it in order.
import { tellOperator } from '#server/banner.ts'
import { ConfigError, readConfig } from '#server/core/config.ts'
import { createLog, describeError } from '#server/core/log.ts'
import { withSecrets } from '#server/core/secrets.ts'
import { openEngine } from '#server/db/engine.ts'

async function main(): Promise<void> {
  const given = readConfig()
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
  const stop = async () => {
    // A terminal and a supervisor may both ask; the same one again means it.
    if (stopping) return
    stopping = true
    // A database that never answers must not keep the process.
    setTimeout(() => process.exit(1), 9_000).unref()
    engine.hurry()
    await node.drain()
    await node.close()
    await engine.stop()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  // Last, because who reads it may ask us to stop at once.
  const seconds = process.uptime()
  process.stdout.write(tellOperator({ config, port: node.port, administrator: node.administrator, seconds }))
}

try {
  await main()
} catch (error) {
  const sentence =
    error instanceof ConfigError ? error.message : `Falha ao iniciar: ${JSON.stringify(describeError(error))}`
  process.stderr.write(`\n${sentence}\n\n`)
  process.exit(1)
}
