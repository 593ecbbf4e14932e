// Lease and rate limit of a spreadsheet: all nodes together have one writer at a time and share the limit of writes.
// The lease is a row with an expiry time, not a lock of PostgreSQL: see decision 018.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'

export interface SheetLease {
  /** Waits for the lease. Returns whether it got the lease. */
  take(stopping: AbortSignal): Promise<boolean>
  /** Waits until the rate limit allows a write, and counts it. Returns whether this node still has the lease. */
  beforeWrite(stopping: AbortSignal): Promise<boolean>
  /** Ends the lease and stores the outcome, if there is one. */
  release(outcome: Outcome): Promise<void>
}

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
insert into planilhas (nome, dono, "donoAte") values ($1, $2, now() + $3 * interval '1 millisecond')
on conflict (nome) do update set dono = excluded.dono, "donoAte" = excluded."donoAte"
where planilhas.dono is null or planilhas."donoAte" < now()
returning nome`

const renew = `update planilhas set "donoAte" = now() + $3 * interval '1 millisecond' where nome = $1 and dono = $2 returning nome`

const countWrite = `
with recent as (
  select array(select at from unnest(escritas) as at where at > now() - interval '1 minute' order by at) as writes
  from planilhas where nome = $1)
update planilhas set "donoAte" = now() + $3 * interval '1 millisecond',
  escritas = case when cardinality(writes) < $4 then writes || now() else writes end
from recent where nome = $1 and dono = $2
returning case when cardinality(writes) < $4 then 0
  else extract(epoch from writes[cardinality(writes) - $4 + 1] + interval '1 minute' - now())::float8 * 1000 end as "waitMs"`

const release = `
update planilhas set dono = null, "donoAte" = null,
  "sucessoEm" = case when $3 then now() else "sucessoEm" end,
  "falhaEm" = case when $4::text is null then "falhaEm" else now() end,
  motivo = coalesce($4::text, motivo)
where nome = $1 and dono = $2`

export function createSheetLease({ query }: Database, options: SheetLeaseOptions): SheetLease {
  const { name, writesPerMinute, leasePollMs = 500 } = options
  const holder = crypto.randomUUID()
  let renewTimer: NodeJS.Timeout | undefined

  return {
    async take(stopping) {
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
    async beforeWrite(stopping) {
      if (writesPerMinute === undefined) return (await query('renew-sheet', renew, [name, holder, leaseMs])).length > 0
      for (;;) {
        const values = [name, holder, leaseMs, writesPerMinute]
        const [ours] = await query<{ waitMs: number }>('count-sheet-write', countWrite, values)
        if (!ours || stopping.aborted) return false
        if (ours.waitMs === 0) return true
        await delay(ours.waitMs, undefined, { signal: stopping }).catch(() => {})
      }
    },
    async release(outcome) {
      clearInterval(renewTimer)
      const failure = outcome && 'failure' in outcome ? outcome.failure : null
      await query('release-sheet', release, [name, holder, outcome !== undefined && failure === null, failure])
    },
  }
}
