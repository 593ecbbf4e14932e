// Records in the audit log how often calls of the admin API were refused: by network, or by account and route if the
// role did not allow the call. Counts stay in memory for a while and only the most frequent get an entry of their own, so
// that a flood of calls cannot fill the log.
import { adminMessages } from '#contract/admin/messages.ts'
import type { Log } from '#server/core/log.ts'
import { networkPrefix } from '#server/core/network-prefix.ts'
import type { RefusedCall } from '#server/http/guard.ts'
import type { NewAuditEntry, RecordAudit } from '#server/http/mount.ts'

const { auditLog: texts } = adminMessages
const flushAfterMs = 10 * 60_000
const maxCounted = 1_000
const maxEntries = 10

interface Count {
  call: RefusedCall
  times: number
}

export type RefusedAccess = ReturnType<typeof createRefusedAccess>

export function createRefusedAccess(record: RecordAudit, log: Log, { periodMs = flushAfterMs } = {}) {
  /** By network. Those of further networks have the key ''. */
  let strangers = new Map<string, Count>()
  /** By account, network and route. */
  let members = new Map<string, Count>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const entries = [...memberEntries(members), ...strangerEntries(strangers)]
    strangers = new Map()
    members = new Map()
    for (const entry of entries)
      await record(entry).catch((error: unknown) => log.warn({ err: error }, 'refused calls not recorded'))
  }

  return {
    add(call: RefusedCall): void {
      const network = networkPrefix(call.ip)
      if (call.administrator) count(members, `${call.administrator.id} ${network} ${call.route}`, call)
      else count(strangers, network, call)
      timer ??= setTimeout(flush, periodMs).unref()
    },
    /** Writes the collected counts to the audit log. */
    flush,
  }
}

function count(counts: Map<string, Count>, wanted: string, call: RefusedCall): void {
  const key = counts.has(wanted) || counts.size < maxCounted ? wanted : ''
  const known = counts.get(key)
  if (known) known.times += 1
  else counts.set(key, { call, times: 1 })
}

const byFrequency = (counts: Map<string, Count>) => [...counts].sort(([, one], [, other]) => other.times - one.times)

function strangerEntries(counts: Map<string, Count>): NewAuditEntry[] {
  const sorted = byFrequency(counts)
  const own = sorted.filter(([network]) => network !== '').slice(0, maxEntries)
  const others = sorted.filter((each) => !own.includes(each)).reduce((sum, [, { times }]) => sum + times, 0)
  const entry = (address: string, subject: string): NewAuditEntry => ({
    administrator: { username: texts.unknown, ...(address && { address }) },
    action: texts.refusedAccess,
    subject,
  })
  return [
    ...own.map(([address, { times }]) => entry(address, texts.times(times))),
    ...(others > 0 ? [entry('', texts.timesElsewhere(others))] : []),
  ]
}

function memberEntries(counts: Map<string, Count>): NewAuditEntry[] {
  return byFrequency(counts)
    .slice(0, maxEntries)
    .map(([, { call, times }]) => ({
      administrator: { username: call.administrator?.username ?? '', address: networkPrefix(call.ip) },
      action: texts.refusedRole,
      subject: `${call.route}: ${texts.times(times)}`,
    }))
}
