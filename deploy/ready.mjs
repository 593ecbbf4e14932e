// Whether the node on HOST and PORT takes people in: exit code 0 or 1. With a number of seconds, waits that long for it, unless MAINPID is gone.
// Plain Node without dependencies: for HEALTHCHECK, systemd and an operator's own scripts.
import { isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const { HOST, PORT, MAINPID } = process.env
/** Who listens on every address is asked on this machine's own. */
const everywhere = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' }
const given = HOST?.trim() ?? ''
const host = everywhere[given] ?? given
const address = `http://${isIPv6(host) ? `[${host}]` : host}:${PORT || 3000}/saude/pronto`
const patienceMs = Number(process.argv[2] ?? 0) * 1_000
const startedAt = performance.now()

async function isReady() {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(3_000) })).ok
  } catch {
    return false
  }
}

/** systemd names the node that it has started, and starts no other one while it is waited for. */
function isGone() {
  try {
    return Boolean(MAINPID) && !process.kill(Number(MAINPID), 0)
  } catch {
    return true
  }
}

while (!(await isReady())) {
  if (performance.now() - startedAt >= patienceMs || isGone()) process.exit(1)
  await delay(200)
}
