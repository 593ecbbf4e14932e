// Queues spreadsheet rows whose news consent or confirmation has changed, so that they are updated where they stand.
import { sql } from 'drizzle-orm'
import { mailboxOf } from '#server/core/canonical-email.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { mailboxDigestSql, mailboxSql } from '#server/db/mailbox.ts'

type Tx = Pick<Orm, 'execute'>

const mailbox = sql.raw(mailboxSql('"emailCanonico"'))
const tabOfCampaign = sql.raw(`coalesce("sheetTab", campanha)`)

const queued = sql`
  insert into outbox (tipo, dados)
  select 'planilha-atualizar', jsonb_build_object('aba', tab, 'tabela', records, 'ids', jsonb_agg(id))
  from changed group by tab, records`

/** The row of one signature. */
export async function queueSheetUpdate(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    with changed as (
      select ${tabOfCampaign} as tab, 'peticoes' as records, peticoes.id
      from peticoes left join campaigns on slug = campanha where peticoes.id = ${id}) ${queued}`)
}

/**
 * The rows of every record of a mailbox. Signatures have no index for it, which would slow signing down: each campaign is looked
 * into by the index that makes them unique, and campaigns are found by skipping from one to the next.
 */
export async function queueSheetUpdatesOf(tx: Tx, address: string): Promise<void> {
  const local = address.slice(0, address.lastIndexOf('@'))
  await tx.execute(sql`
    with recursive signed as (
      (select campanha from peticoes order by campanha limit 1)
      union all
      select (select campanha from peticoes p where p.campanha > signed.campanha order by campanha limit 1) from signed
      where signed.campanha is not null),
    changed as (
      select ${tabOfCampaign} as tab, 'peticoes' as records, found.id
      from signed cross join lateral (
        select id from peticoes p where p.campanha = signed.campanha and "emailCanonico" = ${address}
        union all
        select id from peticoes p where p.campanha = signed.campanha and "emailCanonico" > ${`${local}+`}
          and "emailCanonico" < ${`${local},`} and ${mailbox} = ${address}) found
      left join campaigns on slug = campanha
      union all select 'Voluntarios', 'contacts', id from contacts where ${mailbox} = ${address}
      union all select 'Influenciadores', 'influenciadores', id from influenciadores where ${mailbox} = ${address}
      union all select 'Lideres', 'lideres', id from lideres where ${mailbox} = ${address}) ${queued}`)
}

const stride = 5_000

/** The same by the digest of a mailbox, for when no record says its name any more: goes through all addresses, a few at a time. */
export async function queueSheetUpdatesByDigest({ query, transaction }: Database, digest: Buffer): Promise<void> {
  for (const table of ['contacts', 'influenciadores', 'lideres', 'peticoes']) {
    for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after; ) {
      const rows: { id: string; emailCanonico: string | null }[] = await query(
        `mailbox-in-${table}`,
        `with stretch as (select id, "emailCanonico" from ${table} where id > $1 order by id limit ${stride})
        (select id, "emailCanonico" from stretch where ${mailboxDigestSql('"emailCanonico"')} = $2 limit 1)
        union all (select id, null from stretch order by id desc limit 1)`,
        [after, digest],
      )
      const found = rows.find(({ emailCanonico }) => emailCanonico !== null)?.emailCanonico
      if (found) return transaction((tx) => queueSheetUpdatesOf(tx, mailboxOf(found)))
      after = rows.at(-1)?.id
    }
  }
}
