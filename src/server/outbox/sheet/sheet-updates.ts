// Queues updates of spreadsheet rows whose news consent or confirmation has changed.
import { sql } from 'drizzle-orm'
import { mailboxOf } from '#server/core/canonical-email.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { mailboxHmacSql } from '#server/db/mailbox.ts'
import { mailboxRecords } from '#server/db/mailbox-records.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { formTables, type PersonTable, peopleDescriptors } from '#server/db/people-descriptors.ts'

type Tx = Pick<Orm, 'execute'>

const tabOfCampaign = sql.raw(`coalesce("sheetTab", campanha)`)

const enqueueChanged = sql.raw(
  enqueueSql('planilha-atualizar', `jsonb_build_object('aba', tab, 'tabela', records, 'ids', jsonb_agg(id))`, {
    clauses: 'from changed group by tab, records',
  }),
)

/** Queues the row of one signature. */
export async function queueSheetUpdate(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    with changed as (
      select ${tabOfCampaign} as tab, 'peticoes' as records, peticoes.id
      from peticoes left join campaigns on slug = campanha where peticoes.id = ${id}) ${enqueueChanged}`)
}

/** Queues all cells of the row of one record, after the person corrected it. */
export async function queueSheetCorrection(tx: Tx, { table, id }: { table: PersonTable; id: string }): Promise<void> {
  const payload = `jsonb_build_object('aba', tab, 'tabela', '${table}', 'ids', jsonb_build_array(id), 'tudo', true)`
  const tab = formTables.find((form) => form.table === table)?.sheetTab
  const corrected = tab
    ? sql`select ${tab}::text as tab, id from ${sql.identifier(table)} where id = ${id}`
    : sql`select ${tabOfCampaign} as tab, peticoes.id from peticoes left join campaigns on slug = campanha where peticoes.id = ${id}`
  await tx.execute(sql`
    with corrected as (${corrected})
    ${sql.raw(enqueueSql('planilha-atualizar', payload, { clauses: 'from corrected' }))}`)
}

/** Queues the rows of all records of a mailbox. */
export async function queueSheetUpdatesOf(tx: Tx, address: string): Promise<void> {
  await tx.execute(sql`
    with ${mailboxRecords(address)},
    changed as (
      select coalesce(tab, "sheetTab", campanha) as tab, source as records, found.id
      from mailbox_records found left join campaigns on slug = campanha) ${enqueueChanged}`)
}

const batchSize = 5_000

/** Like `queueSheetUpdatesOf`, but only the HMAC of the mailbox is known: reads all addresses in batches. */
export async function queueSheetUpdatesByHmac({ query, transaction }: Database, hmac: Buffer): Promise<void> {
  for (const { table } of [...formTables, peopleDescriptors.assinaturas]) {
    for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after; ) {
      const rows: { id: string; canonicalEmail: string | null }[] = await query(
        `mailbox-in-${table}`,
        `with batch as (select id, "canonicalEmail" from ${table} where id > $1 order by id limit ${batchSize})
        (select id, "canonicalEmail" from batch where ${mailboxHmacSql('"canonicalEmail"')} = $2 limit 1)
        union all (select id, null from batch order by id desc limit 1)`,
        [after, hmac],
      )
      const found = rows.find(({ canonicalEmail }) => canonicalEmail !== null)?.canonicalEmail
      if (found) return transaction((tx) => queueSheetUpdatesOf(tx, mailboxOf(found)))
      after = rows.at(-1)?.id
    }
  }
}
