// Whether the node on PORT takes people in: exit code 0 or 1. With a number of seconds, waits that long for it.
// Plain Node without dependencies: for HEALTHCHECK, systemd and an operator's own scripts.
import { setTimeout as delay } from 'node:timers/promises'

const address = `http://127.0.0.1:${process.env.PORT || 3000}/saude/pronto`
const patienceMs = Number(process.argv[2] ?? 0) * 1_000
const startedAt = performance.now()

async function isReady() {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(3_000) })).ok
  } catch {
    return false
  }
}

while (!(await isReady())) {
  if (performance.now() - startedAt >= patienceMs) process.exit(1)
  await delay(200)
}
