// One writer at a time for a spreadsheet, whatever the number of nodes, and a pace of writes that they keep together.
// A row with an end, not a lock of PostgreSQL's: see decision 018.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'

export interface SheetLease {
  /** Waits for its turn; says whether it came. */
  take(leaving: AbortSignal): Promise<boolean>
  /** Waits until a write may be sent, and counts it; says whether the turn is still ours. */
  beforeWrite(leaving: AbortSignal): Promise<boolean>
  /** Gives the turn to others and leaves word of how it went, if it went at all. */
  release(outcome: Outcome): Promise<void>
}

export type Outcome = { succeeded: true } | { failure: string } | undefined

export interface SheetLeaseOptions {
  /** Of the spreadsheet. */
  name: string
  /** None for a file. */
  writesAMinute: number | undefined
  /** How often a node that waits for its turn asks whether it has come. */
  turnEveryMs?: number
}

/** Until it ends, nobody takes the place of a node that was killed. */
const leaseMs = 20_000
const renewMs = 5_000
const turnPatienceMs = 30_000

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
  const { name, writesAMinute, turnEveryMs = 500 } = options
  const holder = crypto.randomUUID()
  let renewal: NodeJS.Timeout | undefined

  return {
    async take(leaving) {
      for (const deadline = Date.now() + turnPatienceMs; ; ) {
        const [ours] = await query('take-sheet', take, [name, holder, leaseMs])
        if (ours) break
        if (leaving.aborted || Date.now() > deadline) return false
        await delay(turnEveryMs)
      }
      // A call may take long, and several may follow each other before the next write. What cannot be renewed is found out by that.
      renewal = setInterval(() => query('renew-sheet', renew, [name, holder, leaseMs]).catch(() => {}), renewMs)
      return true
    },
    async beforeWrite(leaving) {
      if (writesAMinute === undefined) return (await query('renew-sheet', renew, [name, holder, leaseMs])).length > 0
      for (;;) {
        const values = [name, holder, leaseMs, writesAMinute]
        const [ours] = await query<{ waitMs: number }>('count-sheet-write', countWrite, values)
        if (!ours || leaving.aborted) return false
        if (ours.waitMs === 0) return true
        await delay(ours.waitMs, undefined, { signal: leaving }).catch(() => {})
      }
    },
    async release(outcome) {
      clearInterval(renewal)
      const failure = outcome && 'failure' in outcome ? outcome.failure : null
      await query('release-sheet', release, [name, holder, outcome !== undefined && failure === null, failure])
    },
  }
}
