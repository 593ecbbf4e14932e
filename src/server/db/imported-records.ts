// Stores imported records. They are counted and written to the spreadsheet like others, but no e-mail is queued.
import { sql } from 'drizzle-orm'
import type { PeopleKind } from '#contract/admin/people.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import type { Orm } from '#server/db/database.ts'
import { mailboxHmacSql, mailboxSql } from '#server/db/mailbox.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'

export interface ImportedRecord extends Record<string, unknown> {
  id: string
  canonicalEmail: string
}

/** Only spreadsheet rows: the kinds of new records would also send e-mails. */
const enqueueRows = (tab: string, table: string, clauses: string) =>
  enqueueSql(
    'planilha',
    `jsonb_build_object('aba', ${tab}, 'tabela', '${table}', 'ids', jsonb_agg(created.id order by created.id))`,
    { clauses },
  )

/** A list is older than the wish of a mailbox to receive no news. */
const acceptsNews = `"aceitaNovidades" and not exists (
  select from enderecos where "addressHmac" = ${mailboxHmacSql('"canonicalEmail"')}
  and ("unsubscribedAt" is not null or "doNotContactAt" is not null))`

const insertRecords = (table: string, columns: string) => `
  insert into ${table} (${columns}, "aceitaNovidades") select ${columns}, ${acceptsNews}
  from jsonb_populate_recordset(null::${table}, $records$::jsonb)`

const insertSignatures = (columns: string) => `
with created as (
  ${insertRecords('peticoes', columns)} order by campanha collate "C", "canonicalEmail" collate "C"
  on conflict (campanha, "canonicalEmail") do nothing returning id, campanha, estado, "createdAt"),
counts as (
  insert into signature_count_changes (campanha, estado, hora, n)
  select campanha, estado, date_trunc('hour', "createdAt"), count(*) from created group by 1, 2, 3),
queued as (
  ${enqueueRows('coalesce("sheetTab", created.campanha)', 'peticoes', 'from created left join campaigns on slug = created.campanha group by coalesce("sheetTab", created.campanha)')})
select id from created`

const insertForms = (table: string, tab: string, columns: string) => `
with created as (${insertRecords(table, columns)} on conflict do nothing returning id),
queued as (${enqueueRows(`'${tab}'`, table, 'from created having count(*) > 0')})
select id from created`

/** Returns the ids of the stored records. A record of an address that the list already contains is not stored. */
export async function insertImported(tx: Orm, tipo: PeopleKind, records: ImportedRecord[]): Promise<Set<string>> {
  const { table, sheetTab } = peopleDescriptors[tipo]
  const fresh = tipo === 'assinaturas' ? records : await withoutKnown(tx, table, records)
  if (fresh.length === 0) return new Set()
  const names = new Set(fresh.flatMap(Object.keys))
  names.delete('aceitaNovidades')
  const columns = [...names].map((name) => `"${name}"`).join()
  const text = tipo === 'assinaturas' ? insertSignatures(columns) : insertForms(table, sheetTab ?? '', columns)
  const [before = '', after = ''] = text.split('$records$')
  const json = JSON.stringify(fresh)
  const { rows } = await tx.execute<{ id: string }>(sql`${sql.raw(before)}${json}${sql.raw(after)}`)
  return new Set(rows.map(({ id }) => id))
}

/** The forms accept an address more than once, an import does not. */
async function withoutKnown(tx: Orm, table: string, records: ImportedRecord[]): Promise<ImportedRecord[]> {
  const addresses = records.map(({ canonicalEmail }) => canonicalEmail)
  const { rows } = await tx.execute<{ canonicalEmail: string }>(sql`
    select distinct "canonicalEmail" from ${sql.identifier(table)}
    where ${sql.raw(mailboxSql('"canonicalEmail"'))} = any(${sql.param(addresses.map(mailboxOf))}::text[])
      and "canonicalEmail" = any(${sql.param(addresses)}::text[])`)
  const known = new Set(rows.map(({ canonicalEmail }) => canonicalEmail))
  return records.filter(({ canonicalEmail }) => !known.has(canonicalEmail))
}
