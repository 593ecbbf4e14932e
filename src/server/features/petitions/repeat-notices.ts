// Signatures that were not created because the person had signed: looked at together a moment later, so that signing does not wait for it.
import type { Log } from '#server/core/log.ts'
import type { Rush } from '#server/core/rush.ts'
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
  rush: Rush
  onQueued(): void
}

const pauseMs = 500
const mostWaiting = 5_000

export function createRepeatNotices({ database, log, rush, onQueued }: RepeatNoticeDeps): RepeatNotices {
  let waiting: Repeat[] = []
  let timer: NodeJS.Timeout | undefined
  let queueing: Promise<void> | undefined
  const leaving = new AbortController()

  async function queueWaiting(): Promise<void> {
    const repeats = waiting
    waiting = []
    if (repeats.length === 0) return
    await database.query('queue-repeat-notices', queueNotices, [
      repeats.map(({ campanha }) => campanha),
      repeats.map(({ emailCanonico }) => emailCanonico),
      repeats.map(({ requestId }) => requestId),
    ])
    onQueued()
  }

  async function queue(): Promise<void> {
    timer = undefined
    try {
      await rush.behind(queueWaiting, leaving.signal)
    } catch (error) {
      // A courtesy: the signature itself is safe, and the next repeat brings the notice.
      log.warn({ err: error }, 'repeat notices not queued')
    }
    queueing = undefined
    if (waiting.length > 0) queueSoon()
  }

  function queueSoon(): void {
    timer ??= setTimeout(() => {
      queueing = queue()
    }, pauseMs)
  }

  return {
    add(repeats) {
      if (waiting.length < mostWaiting) waiting.push(...repeats)
      if (!queueing) queueSoon()
    },
    async close() {
      leaving.abort()
      await queueing
      clearTimeout(timer)
      await queue()
    },
  }
}
