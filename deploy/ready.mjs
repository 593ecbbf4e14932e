// Checks whether the node on HOST and PORT is ready: exit code 0 or 1. With a number of seconds as argument, it waits
// that long, unless the process MAINPID has ended. No dependencies: used by HEALTHCHECK, systemd and scripts of the
// operator.
import { isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const { HOST, PORT, MAINPID } = process.env
/** A node that listens on all addresses is checked on the loopback address. */
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

/** systemd sets MAINPID, and starts no new process during this check. */
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
