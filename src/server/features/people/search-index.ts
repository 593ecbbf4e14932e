// Puts the words of new records where they can be searched: behind the path that stores them, a few at a time, by one node at a time.
// What has not come yet is read from the records themselves, so that no list waits for it.
import { setTimeout as delay } from 'node:timers/promises'
import type { PeopleKind } from '#contract/admin/people.ts'
import type { Log } from '#server/core/log.ts'
import type { Rush } from '#server/core/rush.ts'
import { timed } from '#server/core/timed.ts'
import type { Database } from '#server/db/database.ts'
import { kinds } from '#server/features/people/kinds.ts'

export interface Reach {
  /** Every record of the kind up to this id is in the index; later ones may be. */
  mark: string
  /** So many records are still to come that looking through them all would take long. */
  isFarBehind: boolean
}

export interface SearchIndex {
  reach(kind: PeopleKind): Promise<Reach>
  /** Begins now what would begin soon. */
  nudge(): void
  start(): void
  stop(): Promise<void>
}

// Ids follow the clocks of the nodes, and a commit may be late. So the records are gone through at a distance that hardly anybody
// is late by, and twice more, further behind, for those who were: a standby that hangs, a clock that is wrong.
const reachingLag = 30
const lags = [reachingLag, 600, 86_400]

const mostAtOnce = 1_000
const farBehind = 50_000
const everyMs = 10_000
/** Of the time that a step took: signing goes first. */
const restingShare = 2
const nobody = '00000000-0000-0000-0000-000000000000'

/** The first id of so many seconds ago; by a clock that stands still within a statement, or no index could be used. */
const idBefore = (seconds: string) =>
  `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ${seconds} * 1000), 12, '0') || repeat('0', 20))::uuid`

const beginnings = `
insert into busca_pessoas_marcas (tipo, folga, ate) select tipo, folga, '${nobody}' from unnest($1::text[]) tipo, unnest($2::int[]) folga
on conflict do nothing`

const due = `
select m.tipo as kind, m.folga as lag from busca_pessoas_marcas m where case m.tipo
  ${Object.values(kinds)
    .map(
      ({ name, table }) =>
        `when '${name}' then exists (select from ${table} where id > m.ate and id < ${idBefore('m.folga')})`,
    )
    .join('\n')} end
order by m.folga`

// Looked up one by one: a join would read a whole table that has grown since it was last measured.
const isMissing = (found: string) => `(select true from ${found}) is null`

// One statement, so that the place in the row is held no longer than the work takes; who finds it held leaves it to the other.
const steps = Object.fromEntries(
  Object.values(kinds).map(({ name, table, words }) => [
    name,
    `with mark as (select ate from busca_pessoas_marcas where tipo = '${name}' and folga = $1 for update skip locked),
    new as materialized (
      select p.* from ${table} p where p.id > (select ate from mark) and p.id < ${idBefore('$1')} order by p.id limit ${mostAtOnce}),
    last as (select id from new order by id desc limit 1),
    put as (
      insert into busca_pessoas (tipo, id, palavras) select '${name}', p.id, ${words} from new p
      where ${isMissing(`busca_pessoas b where b.tipo = '${name}' and b.id = p.id`)} on conflict do nothing),
    gone as (
      delete from busca_pessoas b where b.tipo = '${name}' and b.id > (select ate from mark) and b.id <= (select id from last)
      and ${isMissing(`${table} p where p.id = b.id`)})
    update busca_pessoas_marcas m set ate = last.id from mark, last where m.tipo = '${name}' and m.folga = $1 returning 1`,
  ]),
) as Record<PeopleKind, string>

export interface SearchIndexDeps {
  database: Database
  log: Log
  rush: Rush
}

export function createSearchIndex({ database, log, rush }: SearchIndexDeps): SearchIndex {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const leaving = new AbortController()

  const rest = (ms: number) => delay(ms, undefined, { signal: leaving.signal }).catch(() => {})

  async function catchUp(): Promise<void> {
    await database.query('', beginnings, [Object.keys(kinds), lags])
    for (;;) {
      const behind = await database.query<{ kind: PeopleKind; lag: number }>('', due, [])
      if (behind.length === 0) return
      // Who has not come in at all goes before who is looked for again.
      for (const { kind, lag } of behind.filter(({ lag }) => lag === behind[0]?.lag)) {
        const step = async () => (leaving.signal.aborted ? [] : database.query('', steps[kind], [lag]))
        const { result: moved, tookMs } = await rush.behind(() => timed(step), leaving.signal)
        // Another node is at it, or this one is leaving.
        if (moved.length === 0) return
        await rest(restingShare * tookMs)
      }
    }
  }

  function nudge(): void {
    if (leaving.signal.aborted) return
    running ??= catchUp()
      .catch((error) => log.warn({ err: error }, 'people search is behind'))
      .finally(() => {
        running = undefined
      })
  }

  return {
    async reach(kind) {
      const [reach] = await database.query<Reach & object>(
        '',
        `select ate as mark, exists (select from ${kinds[kind].table} where id > ate offset ${farBehind} limit 1) as "isFarBehind"
        from (select coalesce((select ate from busca_pessoas_marcas where tipo = $1 and folga = $2), '${nobody}') as ate) marks`,
        [kind, reachingLag],
      )
      return reach ?? { mark: nobody, isFarBehind: false }
    },
    nudge,
    start() {
      timer = setInterval(nudge, everyMs).unref()
      nudge()
    },
    async stop() {
      leaving.abort()
      clearInterval(timer)
      await running
    },
  }
}
