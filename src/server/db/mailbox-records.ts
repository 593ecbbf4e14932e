import { type SQL, sql } from 'drizzle-orm'
import { mailboxSql } from '#server/db/mailbox.ts'
import { formTables } from '#server/db/people-descriptors.ts'

const mailbox = sql.raw(mailboxSql('"canonicalEmail"'))
const columns = sql.raw('id, email, "canonicalEmail", whatsapp, "aceitaNovidades", "confirmadoEm", "createdAt"')

/**
 * CTEs whose last one, `mailbox_records`, has all records of a mailbox. `tab` is null for signatures, `campanha` for
 * other forms. Signatures have no index by mailbox, because it would slow down signing. Instead, the query uses the
 * unique index once per campaign, and finds the campaigns by skipping from one to the next.
 */
export function mailboxRecords(address: string): SQL {
  const local = address.slice(0, address.lastIndexOf('@'))
  const ofForms = formTables.map(
    ({ table, sheetTab }) =>
      sql`union all select ${sql.raw(`'${table}', '${sheetTab}'`)}, null, ${columns} from ${sql.raw(table)} where ${mailbox} = ${address}`,
  )
  return sql`recursive signed as (
    (select campanha from peticoes order by campanha limit 1)
    union all
    select (select campanha from peticoes p where p.campanha > signed.campanha order by campanha limit 1) from signed
    where signed.campanha is not null),
  mailbox_records as (
    select 'peticoes' as source, null as tab, signed.campanha, found.*
    from signed cross join lateral (
      select ${columns} from peticoes p where p.campanha = signed.campanha and "canonicalEmail" = ${address}
      union all
      select ${columns} from peticoes p where p.campanha = signed.campanha and "canonicalEmail" > ${`${local}+`}
        and "canonicalEmail" < ${`${local},`} and ${mailbox} = ${address}) found
    ${sql.join(ofForms, sql` `)})`
}
