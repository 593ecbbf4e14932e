// Adds the search terms of new records to the index: in the background, in small steps, on one node at a time. Records
// that are not indexed yet are searched in their table, so that no list waits for the index.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PeopleKind } from '#contract/admin/people.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import { timed } from '#server/core/timed.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { kinds } from '#server/features/people/kinds.ts'

interface IndexProgress {
  /** All records of the kind up to this id are in the index. Later ones may be. */
  indexedUpTo: string
  /** So many records are not indexed yet that scanning all of them would take long. */
  isFarBehind: boolean
}

// Ids contain the clock of a node, and a commit may be late, so a record can appear below ids that are already
// indexed. Therefore the index stays behind by a lag (in seconds) that hardly any record exceeds. Two more passes
// with longer lags find the remaining late records, for example after a hanging standby or with a wrong clock.
const mainLag = 30
const lags = [mainLag, 600, 86_400]

const batchSize = 1_000
const farBehindRecords = 50_000
const intervalMs = 10_000
/** Pause after each step as a multiple of its duration: signing has priority. */
const pauseFactor = 2
const zeroId = '00000000-0000-0000-0000-000000000000'

/** The lowest id of that time. Uses `now()`, which is constant within a statement; otherwise no index could be used. */
const idBefore = (seconds: string) =>
  `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ${seconds} * 1000), 12, '0') || repeat('0', 20))::uuid`

const insertMarks = `
insert into busca_pessoas_marcas (kind, "lagSeconds", "indexedUpTo") select kind, "lagSeconds", '${zeroId}' from unnest($1::text[]) kind, unnest($2::int[]) "lagSeconds"
on conflict do nothing`

const selectDue = `
select m.kind, m."lagSeconds" as lag from busca_pessoas_marcas m where case m.kind
  ${Object.values(kinds)
    .map(
      ({ name, table }) =>
        `when '${name}' then exists (select from ${table} where id > m."indexedUpTo" and id < ${idBefore('m."lagSeconds"')})`,
    )
    .join('\n')} end
order by m."lagSeconds"`

// One lookup per row: with outdated statistics, a join would read the whole table.
const isMissing = (found: string) => `(select true from ${found}) is null`

// One statement, so that the row lock is held only during the work. A node that finds the row locked does nothing.
const steps = Object.fromEntries(
  Object.values(kinds).map(({ name, table, searchVector }) => [
    name,
    `with mark as (select "indexedUpTo" from busca_pessoas_marcas where kind = '${name}' and "lagSeconds" = $1 for update skip locked),
    new as materialized (
      select p.* from ${table} p where p.id > (select "indexedUpTo" from mark) and p.id < ${idBefore('$1')} order by p.id limit ${batchSize}),
    last as (select id from new order by id desc limit 1),
    inserted as (
      insert into busca_pessoas (kind, id, words) select '${name}', p.id, ${searchVector} from new p
      where ${isMissing(`busca_pessoas b where b.kind = '${name}' and b.id = p.id`)} on conflict do nothing),
    deleted as (
      delete from busca_pessoas b where b.kind = '${name}' and b.id > (select "indexedUpTo" from mark) and b.id <= (select id from last)
      and ${isMissing(`${table} p where p.id = b.id`)})
    update busca_pessoas_marcas m set "indexedUpTo" = last.id from mark, last where m.kind = '${name}' and m."lagSeconds" = $1 returning 1`,
  ]),
) as Record<PeopleKind, string>

/** Replaces the search terms of a record that has changed. A record that is not indexed yet gets them later. */
export async function reindexRecord(tx: Pick<Orm, 'execute'>, kind: PeopleKind, id: string): Promise<void> {
  const { table, searchVector } = kinds[kind]
  await tx.execute(sql`
    update busca_pessoas set words = found.words
    from (select p.id, ${sql.raw(searchVector)} as words from ${sql.identifier(table)} p where p.id = ${id}) found
    where busca_pessoas.kind = ${kind} and busca_pessoas.id = found.id`)
}

interface SearchIndexDeps {
  database: Database
  log: Log
  throttle: BackgroundThrottle
}

export type SearchIndex = ReturnType<typeof createSearchIndex>

export function createSearchIndex({ database, log, throttle }: SearchIndexDeps) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const stopping = new AbortController()

  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {})

  async function indexDue(): Promise<void> {
    await database.query('', insertMarks, [Object.keys(kinds), lags])
    for (;;) {
      const behind = await database.query<{ kind: PeopleKind; lag: number }>('', selectDue, [])
      if (behind.length === 0) return
      // The shortest lag first: new records are indexed before late ones are searched for.
      for (const { kind, lag } of behind.filter(({ lag }) => lag === behind[0]?.lag)) {
        const step = async () => (stopping.signal.aborted ? [] : database.query('', steps[kind], [lag]))
        const { result: updatedMarks, tookMs } = await throttle.run(() => timed(step), stopping.signal)
        // Another node is indexing, or this node is stopping.
        if (updatedMarks.length === 0) return
        await pause(pauseFactor * tookMs)
      }
    }
  }

  function catchUp(): void {
    if (stopping.signal.aborted) return
    running ??= indexDue()
      .catch((error) => log.warn({ err: error }, 'people search is behind'))
      .finally(() => {
        running = undefined
      })
  }

  return {
    async progress(kind: PeopleKind): Promise<IndexProgress> {
      const [progress] = await database.query<IndexProgress & object>(
        '',
        `select "indexedUpTo", exists (select from ${kinds[kind].table} where id > "indexedUpTo" offset ${farBehindRecords} limit 1) as "isFarBehind"
        from (select coalesce((select "indexedUpTo" from busca_pessoas_marcas where kind = $1 and "lagSeconds" = $2), '${zeroId}') as "indexedUpTo") marks`,
        [kind, mainLag],
      )
      return progress ?? { indexedUpTo: zeroId, isFarBehind: false }
    },
    /** Indexes new records now instead of at the next interval. */
    catchUp,
    start(): void {
      timer = setInterval(catchUp, intervalMs).unref()
      catchUp()
    },
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
