// Signatures that were not created because the person had signed: looked at together a moment later, so that signing does not wait for it.
// A repeat with the news box ticked asks the mailbox to confirm that.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#server/core/log.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'
import { mailboxDigestSql } from '#server/db/mailbox.ts'
import { noCampaign } from '#server/outbox/emails/permission.ts'

// A retry of the same request is no news. Another request for the same person is: the owner of the address is told, once a day at most.
// People are looked up one by one, and locked in order, so that two nodes cannot wait for each other.
//
// Instead of that notice, a mailbox is asked to confirm the news box if it was ticked and the record is not subscribed: never ticked, or
// its mailbox has left since. A record that was ticked after its mailbox left asks in its own confirmation e-mail. A mailbox is asked
// once per campaign and unsubscribe: the row of `emails_por_endereco` decides, under its lock.
const queueNotices = `
with given as (
  select distinct * from unnest($1::text[], $2::text[], $3::uuid[], $4::boolean[]) as t(campanha, "emailCanonico", "requestId", "wantsNews")),
repeated as materialized (
  select g.campanha, g."wantsNews", p.*
  from (select * from given order by campanha collate "C", "emailCanonico" collate "C") g cross join lateral (
    select id, "emailCanonico", "aceitaNovidades", "createdAt", coalesce("avisadoEm", "createdAt") < now() - interval '1 day' as "noticeDue"
    from peticoes
    where campanha = g.campanha and "emailCanonico" = g."emailCanonico" and "requestId" <> g."requestId"
      and (g."wantsNews" or coalesce("avisadoEm", "createdAt") < now() - interval '1 day') for update) p),
unsubscribed as (
  select distinct on (mailbox, campanha) mailbox, campanha, id
  from (select *, ${mailboxDigestSql('"emailCanonico"')} as mailbox from repeated where "wantsNews") ticked
  left join enderecos on endereco = mailbox
  where "doNotContactAt" is null and (not "aceitaNovidades" or "descadastradoEm" > "createdAt")
  order by mailbox, campanha, id),
asked as (
  insert into emails_por_endereco (endereco, campanha, n, "newsAskedAt")
  select mailbox, campanha,
    (select coalesce(sum(n), 0) from emails_por_endereco earlier where earlier.endereco = mailbox and earlier.campanha = '${noCampaign}'),
    now()
  from unsubscribed order by mailbox, campanha
  on conflict (endereco, campanha) do update set "newsAskedAt" = now()
    where emails_por_endereco."newsAskedAt" is null or exists (
      select from enderecos where enderecos.endereco = emails_por_endereco.endereco
      and "descadastradoEm" > emails_por_endereco."newsAskedAt")
  returning endereco, campanha),
asking as (
  select id from unsubscribed join asked on asked.endereco = mailbox and asked.campanha = unsubscribed.campanha),
noticed as (
  update peticoes set "avisadoEm" = now()
  where id = any(array(select id from repeated where "noticeDue" union all select id from asking)) returning id),
news as (
  insert into outbox (tipo, dados)
  select 'emails', jsonb_build_object('modelo', 'novidades', 'ids', jsonb_agg(id)) from asking having count(*) > 0)
insert into outbox (tipo, dados)
select 'assinaturas-repetidas', jsonb_agg(id) from noticed where id not in (select id from asking) having count(*) > 0`

export interface Repeat {
  campanha: string
  emailCanonico: string
  requestId: string
  aceitaNovidades: boolean
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
      repeats.map(({ aceitaNovidades }) => aceitaNovidades),
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
      for (const { campanha, emailCanonico, requestId, aceitaNovidades } of repeats) {
        if (waiting.size < mostWaiting) waiting.set(requestId, { campanha, emailCanonico, requestId, aceitaNovidades })
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
