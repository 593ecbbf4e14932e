// What is known about e-mails to a mailbox: numbers and states by its HMAC. There is no log of single e-mails.
import type { MailboxState } from '#contract/admin/people.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import type { Database } from '#server/db/database.ts'

/** Deliveries have no index by record. If more than these are queued, the number for a person stays unknown. */
const maxSearched = 20_000

const isoOf = (time: Date | null | undefined) => time?.toISOString() ?? null

/** `ids`: all known records of the mailbox. */
export async function readMailboxState(
  { query, orm }: Database,
  canonicalEmail: string,
  ids: string[],
): Promise<MailboxState> {
  const mailbox = orm.addressHmac(mailboxOf(canonicalEmail))
  const [sent, [state], [queued]] = await Promise.all([
    query<{ campanha: string; n: number; ultimo: Date }>(
      '',
      `select campanha, n, "changedAt" as ultimo from emails_por_endereco where "addressHmac" = $1 and n > 0 order by "changedAt" desc`,
      [mailbox],
    ),
    query<Record<'unsubscribedAt' | 'doNotContactAt' | 'rejectedAt', Date | null>>(
      '',
      `select max("unsubscribedAt") filter (where "addressHmac" = $1) as "unsubscribedAt",
        max("doNotContactAt") filter (where "addressHmac" = $1) as "doNotContactAt",
        max("rejectedAt") filter (where "addressHmac" = $2) as "rejectedAt"
      from enderecos where "addressHmac" in ($1, $2)`,
      [mailbox, orm.addressHmac(canonicalEmail)],
    ),
    query<{ searched: number; waiting: number; dead: number }>(
      '',
      `select count(*)::int as searched, count(*) filter (where not dead and payload->>'id' = any($1))::int as waiting,
        count(*) filter (where dead and payload->>'id' = any($1))::int as dead
      from ((select payload, dead from outbox where kind = 'email' and not dead limit ${maxSearched})
        union all (select payload, dead from outbox where dead and kind = 'email' limit ${maxSearched})) emails`,
      [ids],
    ),
  ])
  const isKnown = (queued?.searched ?? 0) < maxSearched
  return {
    enviados: sent.map(({ ultimo, ...rest }) => ({ ...rest, ultimo: ultimo.toISOString() })),
    aguardando: isKnown ? (queued?.waiting ?? 0) : null,
    paradas: isKnown ? (queued?.dead ?? 0) : null,
    descadastradoEm: isoOf(state?.unsubscribedAt),
    naoContatarDesde: isoOf(state?.doNotContactAt),
    recusadoEm: isoOf(state?.rejectedAt),
  }
}
