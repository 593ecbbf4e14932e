// Signatures that were not created because the person had signed: looked at together a moment later, so that signing does not wait for it.
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'

// A retry of the same request is no news. Another request for the same person is: the owner of the address is told, once a day at most.
const queueNotices = `
with given as (
  select distinct * from unnest($1::text[], $2::text[], $3::uuid[]) as t(campanha, "emailCanonico", "requestId")),
noticed as (
  update peticoes p set "avisadoEm" = now() from given g
  where p.campanha = g.campanha and p."emailCanonico" = g."emailCanonico" and p."requestId" <> g."requestId"
    and coalesce(p."avisadoEm", p."createdAt") < now() - interval '1 day'
  returning p.id)
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
  onQueued(): void
}

const pauseMs = 500
const mostWaiting = 5_000

export function createRepeatNotices({ database, log, onQueued }: RepeatNoticeDeps): RepeatNotices {
  let waiting: Repeat[] = []
  let timer: NodeJS.Timeout | undefined

  async function queue(): Promise<void> {
    timer = undefined
    const repeats = waiting
    waiting = []
    if (repeats.length === 0) return
    try {
      await database.query('queue-repeat-notices', queueNotices, [
        repeats.map(({ campanha }) => campanha),
        repeats.map(({ emailCanonico }) => emailCanonico),
        repeats.map(({ requestId }) => requestId),
      ])
      onQueued()
    } catch (error) {
      // A courtesy: the signature itself is safe, and the next repeat brings the notice.
      log.warn({ err: error }, 'repeat notices not queued')
    }
  }

  return {
    add(repeats) {
      if (waiting.length < mostWaiting) waiting.push(...repeats)
      timer ??= setTimeout(queue, pauseMs)
    },
    close() {
      clearTimeout(timer)
      return queue()
    },
  }
}
