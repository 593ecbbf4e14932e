// Who may get news. One expression, for preparing the recipients and again when each e-mail is sent.
import type { ExclusionReason } from '#contract/admin/news.ts'
import { addressHmacSql, hasNoNewsSql, mailboxHmacSql } from '#server/db/mailbox.ts'

interface Given {
  /** SQL expressions. */
  campaignId: string
  /** Absent, or null in SQL: recipients of earlier news are not excluded. */
  withoutRecipientsOf?: string | undefined
}

const reason = (name: Exclude<ExclusionReason, 'repetido'>) => `'${name}'`

/**
 * The HMACs of the mailbox and of the canonical address. The latter is null for an address without a tag, whose HMAC is
 * that of its mailbox: it costs neither an HMAC nor a lookup.
 */
export const hmacsOf = (record: string) => ({
  mailbox: mailboxHmacSql(`${record}."canonicalEmail"`),
  address: `case when strpos(${record}."canonicalEmail", '+') > 0 then ${addressHmacSql(`${record}."canonicalEmail"`)} end`,
})

/**
 * The reason why the row `person` gets no news, or null. `person` has the consent, the confirmation and the HMACs
 * `mailbox` and `address` of one record: a confirmation of another record does not count, because that record may have
 * been made by somebody else. Join with `eligibilityJoins`.
 */
export const newsExclusionSql = ({ campaignId, withoutRecipientsOf }: Given) => `case
  when not person."aceitaNovidades" then ${reason('sem-aceite')}
  when person."confirmadoEm" is null then ${reason('sem-confirmacao')}
  when mailbox_state."doNotContactAt" is not null then ${reason('nao-contatar')}
  when mailbox_state."unsubscribedAt" is not null then ${reason('descadastrado')}
  when case when person.address is null then mailbox_state."rejectedAt" else address_state."rejectedAt" end is not null then ${reason('suspenso')}
  when exists (select from news_opt_outs o where o."addressHmac" = person.mailbox and o."campaignId" = ${campaignId})
    then ${reason('fora-da-campanha')}
  ${
    withoutRecipientsOf === undefined
      ? ''
      : `when exists (select from news_recipients earlier
    where earlier."newsId" = ${withoutRecipientsOf} and earlier."addressHmac" = person.mailbox and earlier.outcome = 'accepted')
    then ${reason('ja-recebeu')}`
  }
end`

const state = (name: string, hmac: string) =>
  `left join (select * from enderecos where ${hasNoNewsSql}) ${name} on ${name}."addressHmac" = person.${hmac}`

export const eligibilityJoins = `${state('mailbox_state', 'mailbox')} ${state('address_state', 'address')}`
