// Counts of signatures by campaign, state and hour.
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'

/** All counts. Their sum is exact in every snapshot. */
export const signatureCounts = `(
  select campanha, estado, hora, n from peticoes_por_hora union all
  select campanha, estado, hora, n from signature_count_changes where n <> 0)`

/** Totals of all and of confirmed signatures by campaign, exact in every snapshot. Triggers count the confirmed ones. */
export const totalCounts = `(
  select campanha, sum(n)::int as n, sum(confirmed)::int as confirmed from (
    select campanha, n, confirmed from signature_totals
    union all select campanha, n, confirmed from signature_count_changes) parts
  group by campanha)`

/** Confirmations by campaign and the hour in which they happened. */
const confirmations = `(
  select campanha, hora, confirmed from peticoes_por_hora union all
  select campanha, hora, confirmed from signature_count_changes)`

/**
 * What an import stored, as JSON: the start of each hour in seconds since 1970, and the number of records. Earlier versions
 * did not store it: all their records count in the hour of the last change.
 */
export const acceptedByHour = `coalesce(mapping -> 'acceptedByHour', case when accepted > 0
  then jsonb_build_object(extract(epoch from date_trunc('hour', "updatedAt"))::bigint, accepted) else '{}' end)`

/** Counts without imported signatures, which nobody signed in the hour that stored them. */
export const signedCounts = `(
  select campanha, hora, n from ${signatureCounts} counts union all
  select campanha, to_timestamp(stored.hora::float8), -stored.n::int
  from imports cross join lateral jsonb_each_text(${acceptedByHour}) stored(hora, n) where kind = 'assinaturas')`

/** Imported signatures by campaign. */
export const importedCounts = `(
  select campanha, sum(accepted)::int as imported from imports where kind = 'assinaturas' group by campanha)`

/** Signatures (`n`) and confirmations of the current day in Brasília time, by campaign. Reads the last hours alone. */
export const countsOfToday = `
  select campanha, greatest(sum(n), 0)::int as n, greatest(sum(confirmed), 0)::int as confirmed from (
    select campanha, hora, n, 0 as confirmed from ${signedCounts} signed union all
    select campanha, hora, 0, confirmed from ${confirmations} confirmations) counted
  where hora >= date_trunc('day', now() at time zone 'America/Sao_Paulo') at time zone 'America/Sao_Paulo'
  group by campanha`

/** Counts the folds that changed a closed hour. Readers may have cached closed hours. */
export const closedHoursCounter = 'horas-fechadas-mudadas'

/** The first hour that is still open. A batch that starts in the last second of an hour commits in the next one. */
export const openSince = `(date_trunc('hour', now()) - interval '1 hour')`

// Every batch of signatures appends rows to `signature_count_changes` and does not update the row of the hour:
// while a backup or a standby holds a snapshot, PostgreSQL keeps every version of an updated row, and each
// update has to step over all of them. A few seconds later this statement folds the changes into
// `peticoes_por_hora` and `signature_totals`.
const foldChanges = `
with taken as (
  delete from signature_count_changes returning campanha, estado, hora, n, confirmed),
hours as (
  insert into peticoes_por_hora (campanha, estado, hora, n, confirmed)
  select campanha, estado, hora, sum(n), sum(confirmed) from taken where n <> 0 or confirmed <> 0
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (campanha, estado, hora) do update set n = peticoes_por_hora.n + excluded.n,
    confirmed = peticoes_por_hora.confirmed + excluded.confirmed),
totals as (
  insert into signature_totals (campanha, n, confirmed) select campanha, sum(n), sum(confirmed) from taken group by 1 order by 1
  on conflict (campanha) do update set n = signature_totals.n + excluded.n,
    confirmed = signature_totals.confirmed + excluded.confirmed)
insert into contadores (name, n)
select $1, 1 from taken where n <> 0 and hora < date_trunc('hour', now() + interval '1 minute') - interval '1 hour' having count(*) > 0
on conflict (name) do update set n = contadores.n + 1`

// Waits for running folds, so that the sums of the next statement include them.
const lockTotals = 'lock table signature_totals in share row exclusive mode'
const sumHours = `
insert into signature_totals (campanha, n) select campanha, sum(n) from peticoes_por_hora group by 1
on conflict (campanha) do update set n = excluded.n`

const defaultDelayMs = 5_000
/** Confirmations, removals and imports append changes without scheduling a fold. */
const idleDelays = 12

interface CountFolding {
  /** Schedules a fold. */
  soon(): void
  close(): Promise<void>
}

export function startCountFolding(database: Database, log: Log, delayMs = defaultDelayMs): CountFolding {
  let timer: NodeJS.Timeout | undefined
  let folding: Promise<void> | undefined
  let isSummed = false

  async function fold(): Promise<void> {
    try {
      if (!isSummed) await sumTotals(database)
      isSummed = true
      await foldCounts(database)
    } catch (error) {
      log.warn({ err: error }, 'signature counts not folded')
      soon()
    }
  }

  function soon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      folding = fold()
    }, delayMs)
  }

  // Folds the changes that an earlier process left behind.
  soon()
  const idleTimer = setInterval(soon, idleDelays * delayMs).unref()
  return {
    soon,
    async close() {
      clearInterval(idleTimer)
      await folding
      clearTimeout(timer)
    },
  }
}

export async function foldCounts({ query }: Database): Promise<void> {
  await query('fold-signature-counts', foldChanges, [closedHoursCounter])
}

/** Recomputes the totals: during an upgrade, servers of the previous version update only the hours. */
async function sumTotals(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(lockTotals)
    await tx.execute(sumHours)
  })
}
