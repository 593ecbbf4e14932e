// Runs the server, and restarts it with back-off when it ends unexpectedly.
import { spawn } from 'node:child_process'

const firstDelayMs = 1_000
const maxDelayMs = 30_000
/** After this time the server counts as healthy, and the next crash starts with the first delay again. */
const healthyMs = 60_000
/** Exit code of src/server/main.ts after a failed start. A restart does not repair a wrong setting. */
const startFailed = 1

export function supervise(command, args, options) {
  let server
  let stopping = false
  let restarted = false
  let delayMs = firstDelayMs

  function start() {
    const startedAt = Date.now()
    server = spawn(command, args, options)
    server.on('exit', (code, signal) => {
      server = undefined
      if (stopping || code === 0 || (code === startFailed && !restarted)) process.exit(code ?? 1)
      if (Date.now() - startedAt > healthyMs) delayMs = firstDelayMs
      const cause = signal ? `sinal ${signal}` : `código ${code}`
      process.stderr.write(`\nO site parou inesperadamente (${cause}). Reiniciando em ${delayMs / 1_000} s…\n`)
      restarted = true
      setTimeout(start, delayMs)
      delayMs = Math.min(delayMs * 2, maxDelayMs)
    })
  }

  function stop(signal) {
    stopping = true
    if (!server) process.exit(0)
    // A terminal sends Ctrl+C to the server too. The server finishes its accepted requests before it ends.
    if (signal === 'SIGTERM') server.kill('SIGTERM')
  }

  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  start()
}
