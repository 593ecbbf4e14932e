// News consent as it is now, in SQL: what a record said, unless its mailbox has left since.
import type { NewsConsent } from '#contract/admin/people.ts'
import { mailboxDigestSql } from '#server/db/mailbox.ts'

const hasLeft = (record: string) =>
  `exists (select from enderecos where endereco = ${mailboxDigestSql(`${record}."emailCanonico"`)} and "descadastradoEm" is not null)`

const saidYes = (record: string) => `${record}."aceitaNovidades"`

/** Whether the row asks for news again after its mailbox had left: it returns once that is confirmed. */
export const asksToReturnSql = (record: string) =>
  `${saidYes(record)} and exists (
    select from enderecos where endereco = ${mailboxDigestSql(`${record}."emailCanonico"`)}
    and "descadastradoEm" < ${record}."createdAt" and "doNotContactAt" is null)`

/** A value of `NewsConsent` for the row that goes by the given name. */
export const newsConsentSql = (record: string) =>
  `case when ${hasLeft(record)} then 'saiu' when ${saidYes(record)} then 'aceita' else 'nao-aceita' end`

/** Whether the row has the given consent; cheaper than comparing the value above. */
export function hasNewsConsentSql(record: string, consent: NewsConsent): string {
  if (consent === 'saiu') return hasLeft(record)
  return `${consent === 'aceita' ? '' : 'not '}${saidYes(record)} and not ${hasLeft(record)}`
}
