// Who may get news. One expression, for preparing the recipients and again when each e-mail is sent.
import type { ExclusionReason } from '#contract/admin/news.ts'
import { hasNoNewsSql, mailboxDigestSql } from '#server/db/mailbox.ts'

interface Given {
  /** SQL expressions. */
  campaignId: string
  /** Absent, or null in SQL: recipients of earlier news are not excluded. */
  withoutRecipientsOf?: string | undefined
}

const reason = (name: Exclude<ExclusionReason, 'repetido'>) => `'${name}'`

/**
 * The digests of the mailbox and of the canonical address. The latter is null for an address without a tag, whose digest
 * is that of its mailbox: it costs neither a digest nor a lookup.
 */
export const digestsOf = (record: string) => ({
  mailbox: mailboxDigestSql(`${record}."canonicalEmail"`),
  address: `case when strpos(${record}."canonicalEmail", '+') > 0 then sha256(convert_to(${record}."canonicalEmail", 'UTF8')) end`,
})

/**
 * The reason why the row `person` gets no news, or null. `person` has the consent, the confirmation and the digests
 * `mailbox` and `address` of one record: a confirmation of another record does not count, because that record may have
 * been made by somebody else. Join with `eligibilityJoins`.
 */
export const newsExclusionSql = ({ campaignId, withoutRecipientsOf }: Given) => `case
  when not person."aceitaNovidades" then ${reason('sem-aceite')}
  when person."confirmadoEm" is null then ${reason('sem-confirmacao')}
  when mailbox_state."doNotContactAt" is not null then ${reason('nao-contatar')}
  when mailbox_state."unsubscribedAt" is not null then ${reason('descadastrado')}
  when case when person.address is null then mailbox_state."rejectedAt" else address_state."rejectedAt" end is not null then ${reason('suspenso')}
  when exists (select from news_opt_outs o where o."addressDigest" = person.mailbox and o."campaignId" = ${campaignId})
    then ${reason('fora-da-campanha')}
  ${
    withoutRecipientsOf === undefined
      ? ''
      : `when exists (select from news_recipients earlier
    where earlier."newsId" = ${withoutRecipientsOf} and earlier."addressDigest" = person.mailbox and earlier.outcome = 'accepted')
    then ${reason('ja-recebeu')}`
  }
end`

const state = (name: string, digest: string) =>
  `left join (select * from enderecos where ${hasNoNewsSql}) ${name} on ${name}."addressDigest" = person.${digest}`

export const eligibilityJoins = `${state('mailbox_state', 'mailbox')} ${state('address_state', 'address')}`
