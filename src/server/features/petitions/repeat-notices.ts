// Signatures that were not created because the person had signed: looked at together a moment later, so that signing does not wait for it.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#server/core/log.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'

// A retry of the same request is no news. Another request for the same person is: the owner of the address is told, once a day at most.
// People are looked up one by one, and locked in order, so that two nodes cannot wait for each other.
const queueNotices = `
with given as (
  select distinct * from unnest($1::text[], $2::text[], $3::uuid[]) as t(campanha, "emailCanonico", "requestId")),
repeated as materialized (
  select p.id from (select * from given order by campanha collate "C", "emailCanonico" collate "C") g cross join lateral (
    select id from peticoes
    where campanha = g.campanha and "emailCanonico" = g."emailCanonico" and "requestId" <> g."requestId"
      and coalesce("avisadoEm", "createdAt") < now() - interval '1 day' for update) p),
noticed as (
  update peticoes set "avisadoEm" = now() where id = any(array(select id from repeated)) returning id)
insert into outbox (tipo, dados) select 'assinaturas-repetidas', jsonb_agg(id) from noticed having count(*) > 0`

export interface Repeat {
  campanha: string
  emailCanonico: string
  requestId: string
}

export interface RepeatNotices {
  add(repeats: Repeat[]): void
  /** Sees to what is still waiting. */
  close(): Promise<void>
}

export interface RepeatNoticeDeps {
  database: Database
  log: Log
  rush: Rush
  onQueued(): void
}

const pauseMs = 500
const mostTogether = 1_000
const mostWaiting = 50_000

export function createRepeatNotices({ database, log, rush, onQueued }: RepeatNoticeDeps): RepeatNotices {
  /** By request: one that comes again and again is one. */
  const waiting = new Map<string, Repeat>()
  let dropped = 0
  let working: Promise<void> | undefined
  const leaving = new AbortController()

  async function queueSome(): Promise<void> {
    const repeats = [...waiting.values()].slice(0, mostTogether)
    for (const { requestId } of repeats) waiting.delete(requestId)
    await database.query('queue-repeat-notices', queueNotices, [
      repeats.map(({ campanha }) => campanha),
      repeats.map(({ emailCanonico }) => emailCanonico),
      repeats.map(({ requestId }) => requestId),
    ])
    onQueued()
  }

  async function queueAll(): Promise<void> {
    while (waiting.size > 0) {
      await delay(pauseMs, undefined, { signal: leaving.signal }).catch(() => {})
      try {
        await rush.behind(queueSome, leaving.signal)
      } catch (error) {
        // A courtesy: the signature itself is safe, and the next repeat brings the notice.
        log.warn({ err: error }, 'repeat notices not queued')
        if (leaving.signal.aborted) waiting.clear()
      }
    }
    if (dropped > 0) log.warn({ dropped }, 'repeat notices not queued')
    dropped = 0
    working = undefined
  }

  return {
    add(repeats) {
      for (const { campanha, emailCanonico, requestId } of repeats) {
        if (waiting.size < mostWaiting) waiting.set(requestId, { campanha, emailCanonico, requestId })
        else dropped += 1
      }
      working ??= queueAll()
    },
    async close() {
      leaving.abort()
      await working
    },
  }
}
