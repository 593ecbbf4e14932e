// The delivery handler of requests for a person's own data. The request only queues the address, so that its answer and
// its time do not depend on whether we have data of it. This handler looks it up and queues the e-mail.
import { sql } from 'drizzle-orm'
import { maxRequestsPerHour } from '#contract/own-data.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { findOwner } from '#server/db/own-data.ts'
import type { Delivery, DeliveryHandler } from '#server/outbox/queue/delivery.ts'

/** Used instead of a campaign in the number of e-mails to a mailbox. No slug begins with this sign. */
export const ownDataQuotaKey = '#meus-dados'

/** Whether the mailbox wants no e-mail at all, or its server rejects the address. */
export async function isClosed(tx: Pick<Orm, 'execute' | 'addressHmac'>, email: string): Promise<boolean> {
  const canonicalEmail = canonicalizeEmail(email)
  const { rows } = await tx.execute(sql`
    select from enderecos
    where ("addressHmac" = ${tx.addressHmac(mailboxOf(canonicalEmail))} and "doNotContactAt" is not null)
      or ("addressHmac" = ${tx.addressHmac(canonicalEmail)} and "rejectedAt" is not null)`)
  return rows.length > 0
}

export function createOwnDataRequests({ transaction }: Pick<Database, 'transaction'>): DeliveryHandler<'meus-dados'> {
  /** Marks the delivery in the transaction that queues the e-mail: a delivery that is repeated queues no second one. */
  const accept = ({ id, payload: { email } }: Delivery<'meus-dados'>) =>
    transaction(async (tx) => {
      const owner = await findOwner(tx, email)
      if (!owner || (await isClosed(tx, owner.email))) return
      const { rows } = await tx.execute(sql`
        update outbox set payload = payload || '{"contado": true}' where id = ${id} and not payload ? 'contado' returning 1 as fresh`)
      if (rows.length === 0 || !(await takeHourlyQuota(tx, email))) return
      await tx.execute(sql`
        with given as (select ${email}::text as email)
        ${sql.raw(enqueueSql('meus-dados-email', `jsonb_build_object('email', email)`, { clauses: 'from given' }))}`)
    })

  return {
    name: 'meus-dados',
    kinds: ['meus-dados'],
    atOnce: 1,
    batch: 20,
    async perform(deliveries) {
      for (const delivery of deliveries) await accept(delivery)
    },
  }
}

/** `changedAt` is the beginning of the current hour of the mailbox. */
async function takeHourlyQuota(tx: Pick<Orm, 'execute' | 'addressHmac'>, email: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    insert into emails_por_endereco ("addressHmac", campanha, n)
    values (${tx.addressHmac(mailboxOf(canonicalizeEmail(email)))}, ${ownDataQuotaKey}, 1)
    on conflict ("addressHmac", campanha) do update set
      n = case when emails_por_endereco."changedAt" < now() - interval '1 hour' then 1 else emails_por_endereco.n + 1 end,
      "changedAt" = case when emails_por_endereco."changedAt" < now() - interval '1 hour' then now() else emails_por_endereco."changedAt" end
      where emails_por_endereco."changedAt" < now() - interval '1 hour' or emails_por_endereco.n < ${maxRequestsPerHour}
    returning 1 as taken`)
  return rows.length > 0
}
