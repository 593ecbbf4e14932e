// Finds all records of a mailbox: signatures and forms.
import { type SQL, sql } from 'drizzle-orm'
import type { Orm } from '#server/db/database.ts'
import { mailboxSql } from '#server/db/mailbox.ts'
import { formTables } from '#server/db/people-descriptors.ts'

const mailbox = sql.raw(mailboxSql('"canonicalEmail"'))
const columns = sql.raw('id, email, "canonicalEmail", whatsapp, "aceitaNovidades", "confirmadoEm", "createdAt"')

/** SQL expressions: a mailbox, and the range of the canonical addresses with a tag of its name. */
interface MailboxSql {
  address: SQL
  from: SQL
  to: SQL
}

function taggedRange(address: string) {
  const local = address.slice(0, address.lastIndexOf('@'))
  return { from: `${local}+`, to: `${local},` }
}

/** A recursive CTE: skips from one campaign with signatures to the next. */
const signedCampaigns = sql`signed as (
  (select campanha from peticoes order by campanha limit 1)
  union all
  select (select campanha from peticoes p where p.campanha > signed.campanha order by campanha limit 1) from signed
  where signed.campanha is not null)`

/** Signatures have no index by mailbox, because it would slow down signing. The unique index is used once per campaign. */
function recordsOf({ address, from, to }: MailboxSql): SQL {
  const ofForms = formTables.map(
    ({ table, sheetTab }) =>
      sql`union all select ${sql.raw(`'${table}', '${sheetTab}'`)}, null, ${columns} from ${sql.raw(table)} where ${mailbox} = ${address}`,
  )
  return sql`
    select 'peticoes' as source, null as tab, signed.campanha, found.*
    from signed cross join lateral (
      select ${columns} from peticoes p where p.campanha = signed.campanha and "canonicalEmail" = ${address}
      union all
      select ${columns} from peticoes p where p.campanha = signed.campanha and "canonicalEmail" > ${from}
        and "canonicalEmail" < ${to} and ${mailbox} = ${address}) found
    ${sql.join(ofForms, sql` `)}`
}

/**
 * CTEs whose last one, `mailbox_records`, has all records of a mailbox. `tab` is null for signatures, `campanha` for
 * other forms.
 */
export function mailboxRecords(address: string): SQL {
  const { from, to } = taggedRange(address)
  const records = recordsOf({ address: sql`${address}`, from: sql`${from}`, to: sql`${to}` })
  return sql`recursive ${signedCampaigns}, mailbox_records as (${records})`
}

/** Those of the mailboxes that have a record of any kind. */
export async function mailboxesWithRecords(tx: Pick<Orm, 'execute'>, mailboxes: string[]): Promise<Set<string>> {
  const ranges = mailboxes.map(taggedRange)
  const [from, to] = [ranges.map((range) => range.from), ranges.map((range) => range.to)]
  const records = recordsOf({ address: sql`given.address`, from: sql`given."from"`, to: sql`given."to"` })
  const { rows } = await tx.execute<{ address: string }>(sql`
    with recursive ${signedCampaigns}
    select address from unnest(${sql.param(mailboxes)}::text[], ${sql.param(from)}::text[], ${sql.param(to)}::text[])
      as given(address, "from", "to")
    where exists (${records})`)
  return new Set(rows.map(({ address }) => address))
}
