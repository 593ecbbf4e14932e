import { dotlessDomains, taggedAddress } from '#server/core/canonical-email.ts'
import { hmacSql } from '#server/db/bind-address-key.ts'

/** The mailbox of a canonical address (column or expression), by the rule of `mailboxOf` (core/canonical-email.ts). */
export const mailboxSql = (canonicalAddress: string) =>
  `regexp_replace(${canonicalAddress}, '${taggedAddress}', '\\1\\2')`

/** The mailbox of an address as it was typed: `mailboxOf(canonicalizeEmail(address))` in SQL. */
export function typedMailboxSql(address: string): string {
  const untagged = mailboxSql(`lower(btrim(${address}))`)
  const local = `regexp_replace(${untagged}, '@[^@]*$', '')`
  const domain = `substring(${untagged} from '@([^@]*)$')`
  const names = dotlessDomains.map((name) => `'${name}'`).join(', ')
  const dotless = `coalesce(nullif(replace(${local}, '.', ''), ''), ${local}) || '@gmail.com'`
  return `(case when ${domain} in (${names}) then ${dotless} else ${untagged} end)`
}

const digestSql = (text: string) => `sha256(convert_to(${text}, 'UTF8'))`

/**
 * The digest of the mailbox of a canonical address. Lists compute it for every row, and few addresses have a tag, so the
 * regular expression runs only for those.
 */
export const mailboxDigestSql = (canonicalAddress: string) =>
  digestSql(
    `case when strpos(${canonicalAddress}, '+') > 0 then ${mailboxSql(canonicalAddress)} else ${canonicalAddress} end`,
  )

/** `addressHmac` in SQL: the key of `enderecos` and other tables. */
export const addressHmacSql = (address: string) => hmacSql(digestSql(address))
export const mailboxHmacSql = (canonicalAddress: string) => hmacSql(mailboxDigestSql(canonicalAddress))

/**
 * Mailboxes that get no news of any campaign: few among many. Preparing recipients joins only these, through a
 * partial index with this condition.
 */
export const hasNoNewsSql = '"unsubscribedAt" is not null or "doNotContactAt" is not null or "rejectedAt" is not null'
