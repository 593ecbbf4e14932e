// Processes signatures that were not created because the person had already signed. It runs after signing, so that
// signing does not wait for it. If the repeat has the news box ticked, the mailbox must confirm the subscription.
import { mailboxHmacSql } from '#server/db/mailbox.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { noCampaign } from '#server/outbox/email/email-quota.ts'
import { claimed, countClaimed } from '#server/outbox/queue/claimed-rows.ts'

// A retry of the same request sends nothing. Another request for the same person sends a notice to the address, at most
// once a day. People are looked up one by one, and locked in order, so that two nodes cannot deadlock.
//
// If the news box was ticked and the record is not subscribed, the mailbox gets a request to confirm the subscription
// instead of the notice. A record is not subscribed if its box was not ticked, or its mailbox has unsubscribed since.
// If the box was ticked after the mailbox unsubscribed, the confirmation e-mail of the record already contains the
// request. A mailbox gets one request per campaign and unsubscription: the row of `emails_por_endereco` decides this,
// under its lock.
export const fanOutRepeatedRequests = `
with ${claimed('pedidos-repetidos', 25)},
given as (
  select distinct campanha, "emailCanonico" as "canonicalEmail", "requestId", "aceitaNovidades" = 'true' as "wantsNews"
  from taken, jsonb_to_recordset(payload) as t(campanha text, "emailCanonico" text, "requestId" text, "aceitaNovidades" text)),
repeated as materialized (
  select g.campanha, g."wantsNews", p.*
  from (select * from given order by campanha collate "C", "canonicalEmail" collate "C") g cross join lateral (
    select id, "canonicalEmail", "aceitaNovidades", "createdAt", coalesce("notifiedAt", "createdAt") < now() - interval '1 day' as "noticeDue"
    from peticoes
    where campanha = g.campanha and "canonicalEmail" = g."canonicalEmail" and "requestId"::text <> g."requestId"
      and (g."wantsNews" or coalesce("notifiedAt", "createdAt") < now() - interval '1 day') for update) p),
unsubscribed as (
  select distinct on (mailbox, campanha) mailbox, campanha, id
  from (select *, ${mailboxHmacSql('"canonicalEmail"')} as mailbox from repeated where "wantsNews") ticked
  left join enderecos on "addressHmac" = mailbox
  where "doNotContactAt" is null and (not "aceitaNovidades" or "unsubscribedAt" > "createdAt")
  order by mailbox, campanha, id),
asked as (
  insert into emails_por_endereco ("addressHmac", campanha, n, "newsAskedAt")
  select mailbox, campanha,
    (select coalesce(sum(n), 0) from emails_por_endereco earlier where earlier."addressHmac" = mailbox and earlier.campanha = '${noCampaign}'),
    now()
  from unsubscribed order by mailbox, campanha
  on conflict ("addressHmac", campanha) do update set "newsAskedAt" = now(), "changedAt" = now()
    where emails_por_endereco."newsAskedAt" is null or exists (
      select from enderecos where enderecos."addressHmac" = emails_por_endereco."addressHmac"
      and "unsubscribedAt" > emails_por_endereco."newsAskedAt")
  returning "addressHmac", campanha),
asking as (
  select id from unsubscribed join asked on asked."addressHmac" = mailbox and asked.campanha = unsubscribed.campanha),
noticed as (
  update peticoes set "notifiedAt" = now()
  where id = any(array(select id from repeated where "noticeDue" union all select id from asking)) returning id),
news as (
  ${enqueueSql('emails', `jsonb_build_object('modelo', 'novidades', 'ids', jsonb_agg(id))`, {
    clauses: 'from asking having count(*) > 0',
  })}),
notices as (
  ${enqueueSql('emails', `jsonb_build_object('modelo', 'repetida', 'ids', jsonb_agg(id))`, {
    clauses: 'from noticed where id not in (select id from asking) having count(*) > 0',
  })})
${countClaimed}`
