// The current news consent of a record, in SQL: its own choice, unless its mailbox has unsubscribed.
import type { NewsConsent } from '#contract/admin/people.ts'
import { mailboxHmacSql } from '#server/db/mailbox.ts'

const unsubscribedRow = (record: string) =>
  `select from enderecos where "addressHmac" = ${mailboxHmacSql(`${record}."canonicalEmail"`)} and "unsubscribedAt" is not null`

const hasUnsubscribed = (record: string) => `exists (${unsubscribedRow(record)})`

const acceptsNews = (record: string) => `${record}."aceitaNovidades"`

/**
 * Whether the row asks for news after its mailbox unsubscribed. A confirmation subscribes the mailbox again. An imported
 * row does not: the person did not ask.
 */
export const asksToResubscribeSql = (record: string) =>
  `${acceptsNews(record)} and ${record}."importId" is null and exists (
    select from enderecos where "addressHmac" = ${mailboxHmacSql(`${record}."canonicalEmail"`)}
    and "unsubscribedAt" < ${record}."createdAt" and "doNotContactAt" is null)`

/**
 * Whether the row asks for news and its owner has not confirmed the address. Not if the mailbox unsubscribed since, and
 * not for an imported row.
 */
export const asksToConfirmNewsSql = (record: string) =>
  `${acceptsNews(record)} and ${record}."importId" is null and ${record}."confirmadoEm" is null and not exists (
    select from enderecos where "addressHmac" = ${mailboxHmacSql(`${record}."canonicalEmail"`)}
    and ("unsubscribedAt" >= ${record}."createdAt" or "doNotContactAt" is not null))`

/**
 * The current news consent, a value of `NewsConsent`: the choice stored in the row, unless its mailbox has
 * unsubscribed. `record` is the name of the row in the query.
 */
export const newsConsentSql = (record: string) =>
  // With `offset 0` each mailbox is looked up. Otherwise a page of the list may read all mailboxes.
  `case when exists (${unsubscribedRow(record)} offset 0) then 'saiu' when ${acceptsNews(record)} then 'aceita' else 'nao-aceita' end`

/** Whether the row has the given consent. Cheaper than comparing the value of `newsConsentSql`. */
export function hasNewsConsentSql(record: string, consent: NewsConsent): string {
  if (consent === 'saiu') return hasUnsubscribed(record)
  return `${consent === 'aceita' ? '' : 'not '}${acceptsNews(record)} and not ${hasUnsubscribed(record)}`
}
