// After a restore: removes again who was removed since the backup was made, and keeps old e-mails from being sent.
import type { ClientBase } from 'pg'
import type { NotedRemovals } from '#server/core/removal-journal.ts'
import { mailboxDigestSql } from '#server/db/mailbox.ts'
import { removeWantedSignatures } from '#server/db/signature-removal.ts'

const wasNoted = 'sha256($1::bytea || uuid_send(id)) = any($2::bytea[])'

const removeSignatures = `
with wanted as (select id from peticoes where ${wasNoted}), ${removeWantedSignatures}
select count(*)::int as n from gone`

const removeForms = (table: string, tab: string) => `
with gone as (delete from ${table} where ${wasNoted} returning id),
queued as (
  insert into outbox (tipo, dados) select 'planilha-remover', jsonb_build_object('aba', '${tab}', 'id', id) from gone)
select count(*)::int as n from gone`

const removals = [
  removeSignatures,
  removeForms('contacts', 'Voluntarios'),
  removeForms('influenciadores', 'Influenciadores'),
  removeForms('lideres', 'Lideres'),
]

const leaveAgain = `
with mailboxes as (
  select distinct ${mailboxDigestSql('"emailCanonico"')} as endereco from (
    select "emailCanonico" from peticoes union select "emailCanonico" from contacts
    union select "emailCanonico" from influenciadores union select "emailCanonico" from lideres) people),
noted as (
  select endereco, sha256($1::bytea || endereco) = any($3::bytea[]) as "fromEverything" from mailboxes
  where sha256($1::bytea || endereco) = any($2::bytea[] || $3::bytea[])),
left_again as (
  insert into enderecos (endereco, "descadastradoEm", "doNotContactAt")
  select endereco, now(), case when "fromEverything" then now() end from noted
  on conflict (endereco) do update set "descadastradoEm" = coalesce(enderecos."descadastradoEm", now()),
    "doNotContactAt" = coalesce(enderecos."doNotContactAt", excluded."doNotContactAt"))
select count(*)::int as n from noted`

export interface Replayed {
  removed: number
  left: number
}

export async function replayRemovals(client: ClientBase, { key, digests }: NotedRemovals): Promise<Replayed> {
  const count = async (text: string, values: unknown[]) => Number((await client.query(text, values)).rows[0]?.n)
  const replayed: Replayed = { removed: 0, left: 0 }
  if (digests.removed.length > 0)
    for (const text of removals) replayed.removed += await count(text, [key, digests.removed])
  if (digests.news.length + digests.everything.length > 0)
    replayed.left = await count(leaveAgain, [key, digests.news, digests.everything])
  return replayed
}

const waited = 'Estava na fila quando a cópia foi feita. Reenvie só o que ainda não tiver sido enviado.'

/**
 * E-mails that were queued have probably been sent since. They are shown, and sent only if an administrator wants it. Reminders and notices
 * of repeats are not worth that.
 */
export async function parkEmails(client: ClientBase): Promise<number> {
  await client.query(`delete from outbox where tipo in ('lembretes', 'pedidos-repetidos')`)
  const { rowCount } = await client.query(
    `update outbox set parada = true, motivo = $1 where tipo not like 'planilha%' and not parada`,
    [waited],
  )
  return rowCount ?? 0
}
