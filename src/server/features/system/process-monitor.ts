import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { SystemStatus } from '#contract/admin/system.ts'

/** Long enough to catch a rare delay, short enough to describe the present. */
const windowMs = 60_000

export type ProcessMonitor = ReturnType<typeof monitorProcess>

export function monitorProcess() {
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const since = new Date(Date.now() - process.uptime() * 1000).toISOString()
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let windowStart = performance.now()
  const milliseconds = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10 || 0

  return {
    read(): SystemStatus['node'] {
      const now = performance.now()
      const delay = {
        ...{ p99Ms: milliseconds(delays.percentile(99)), maxMs: milliseconds(delays.max) },
        seconds: Math.round((now - windowStart) / 1000),
      }
      if (now - windowStart > windowMs) {
        delays.reset()
        windowStart = now
      }
      const { rss: memoryBytes } = process.memoryUsage()
      return { version, runtime: `Node ${process.versions.node}`, since, memoryBytes, delay }
    },
    stop: () => delays.disable(),
  }
}
