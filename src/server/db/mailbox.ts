// The mailbox of an address in SQL: the same rule as `mailboxOf` of core/canonical-email.ts.
import { taggedAddress } from '#server/core/canonical-email.ts'

/** Of the column or expression that holds a canonical address. */
export const mailboxSql = (canonicalAddress: string) =>
  `regexp_replace(${canonicalAddress}, '${taggedAddress}', '\\1\\2')`

/** The key of `enderecos` and `emails_por_endereco`: what `digestOf` gives for the mailbox. Lists ask for it row by row: few have a tag. */
export const mailboxDigestSql = (canonicalAddress: string) =>
  `sha256(convert_to(case when strpos(${canonicalAddress}, '+') > 0 then ${mailboxSql(canonicalAddress)} else ${canonicalAddress} end, 'UTF8'))`
