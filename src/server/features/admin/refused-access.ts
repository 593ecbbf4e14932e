// Records in the audit log how often calls of the admin API were refused, by network. Counts stay in memory for a while
// and only the busiest networks get an entry of their own, so that a flood of calls cannot fill the log.
import { adminMessages } from '#contract/admin/messages.ts'
import type { Log } from '#server/core/log.ts'
import { networkPrefix } from '#server/core/network-prefix.ts'
import type { RecordAudit } from '#server/http/mount.ts'

const { auditLog: texts } = adminMessages
const flushAfterMs = 10 * 60_000
const maxNetworks = 1_000
const maxEntries = 10

export type RefusedAccess = ReturnType<typeof createRefusedAccess>

export function createRefusedAccess(record: RecordAudit, log: Log, { periodMs = flushAfterMs } = {}) {
  let counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const sorted = [...counts].sort(([, a], [, b]) => b - a)
    counts = new Map()
    const own = sorted.filter(([network]) => network !== '').slice(0, maxEntries)
    const others = sorted.filter((each) => !own.includes(each)).reduce((sum, [, times]) => sum + times, 0)
    const entries = [
      ...own.map(([address, times]) => ({ address, subject: texts.times(times) })),
      ...(others > 0 ? [{ address: '', subject: texts.timesElsewhere(others) }] : []),
    ]
    for (const { address, subject } of entries) {
      const administrator = { username: texts.unknown, ...(address && { address }) }
      await record({ administrator, action: texts.refusedAccess, subject }).catch((error: unknown) =>
        log.warn({ err: error }, 'refused calls not recorded'),
      )
    }
  }

  return {
    add(ip: string): void {
      const network = networkPrefix(ip)
      const key = counts.has(network) || counts.size < maxNetworks ? network : ''
      counts.set(key, (counts.get(key) ?? 0) + 1)
      timer ??= setTimeout(flush, periodMs).unref()
    },
    /** Writes the collected counts to the audit log. */
    flush,
  }
}
