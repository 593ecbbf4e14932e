// Lease and rate limit of a spreadsheet: all nodes together have one writer at a time and share the limit of writes.
// The lease is a row with an expiry time, not a lock of PostgreSQL: see decision 018.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'

export type Outcome = { succeeded: true } | { failure: string } | undefined

export interface SheetLeaseOptions {
  /** Name of the spreadsheet. */
  name: string
  /** Undefined for files, which have no limit. */
  writesPerMinute: number | undefined
  /** How often a waiting node checks whether the lease is free. */
  leasePollMs?: number
}

/** If a node is killed, other nodes wait this long. */
const leaseMs = 20_000
const renewMs = 5_000
const maxWaitMs = 30_000

const take = `
insert into planilhas (name, "leasedBy", "leasedUntil") values ($1, $2, now() + $3 * interval '1 millisecond')
on conflict (name) do update set "leasedBy" = excluded."leasedBy", "leasedUntil" = excluded."leasedUntil"
where planilhas."leasedBy" is null or planilhas."leasedUntil" < now()
returning name`

const renew = `update planilhas set "leasedUntil" = now() + $3 * interval '1 millisecond' where name = $1 and "leasedBy" = $2 returning name`

const countWrite = `
with recent as (
  select array(select at from unnest(writes) as at where at > now() - interval '1 minute' order by at) as latest
  from planilhas where name = $1)
update planilhas set "leasedUntil" = now() + $3 * interval '1 millisecond',
  writes = case when cardinality(latest) < $4 then latest || now() else latest end
from recent where name = $1 and "leasedBy" = $2
returning case when cardinality(writes) < $4 then 0
  else extract(epoch from writes[cardinality(writes) - $4 + 1] + interval '1 minute' - now())::float8 * 1000 end as "waitMs"`

const release = `
update planilhas set "leasedBy" = null, "leasedUntil" = null,
  "succeededAt" = case when $3 then now() else "succeededAt" end,
  "failedAt" = case when $4::text is null then "failedAt" else now() end,
  reason = coalesce($4::text, reason)
where name = $1 and "leasedBy" = $2`

export type SheetLease = ReturnType<typeof createSheetLease>

export function createSheetLease({ query }: Database, options: SheetLeaseOptions) {
  const { name, writesPerMinute, leasePollMs = 500 } = options
  const holder = crypto.randomUUID()
  let renewTimer: NodeJS.Timeout | undefined

  return {
    /** Waits for the lease. Returns whether it got the lease. */
    async take(stopping: AbortSignal): Promise<boolean> {
      for (const deadline = Date.now() + maxWaitMs; ; ) {
        const [ours] = await query('take-sheet', take, [name, holder, leaseMs])
        if (ours) break
        if (stopping.aborted || Date.now() > deadline) return false
        await delay(leasePollMs)
      }
      // Renewed by a timer, because calls can take long, and several reads may precede the next write. `beforeWrite`
      // detects a lost lease.
      renewTimer = setInterval(() => query('renew-sheet', renew, [name, holder, leaseMs]).catch(() => {}), renewMs)
      return true
    },
    /** Waits until the rate limit allows a write, and counts it. Returns whether this node still has the lease. */
    async beforeWrite(stopping: AbortSignal): Promise<boolean> {
      if (writesPerMinute === undefined) return (await query('renew-sheet', renew, [name, holder, leaseMs])).length > 0
      for (;;) {
        const values = [name, holder, leaseMs, writesPerMinute]
        const [ours] = await query<{ waitMs: number }>('count-sheet-write', countWrite, values)
        if (!ours || stopping.aborted) return false
        if (ours.waitMs === 0) return true
        await delay(ours.waitMs, undefined, { signal: stopping }).catch(() => {})
      }
    },
    /** Ends the lease and stores the outcome, if there is one. */
    async release(outcome: Outcome): Promise<void> {
      clearInterval(renewTimer)
      const failure = outcome && 'failure' in outcome ? outcome.failure : null
      await query('release-sheet', release, [name, holder, outcome !== undefined && failure === null, failure])
    },
  }
}
