// The suppression list: addresses that get no e-mail, because a server rejected them or their owner complained.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type Suppression, type SuppressionKind, suppressionsPerPage } from '#contract/admin/suppressions.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'

interface SuppressionRow extends Record<string, unknown> {
  addressHmac: Buffer
  email: string | null
  tipo: SuppressionKind | null
  detalhe: string | null
  desde: Date
  /** The time as microseconds: a Date would lose digits, and rows of one millisecond would be skipped. */
  micros: string
}

interface SuppressionFilter extends Cursors {
  /** An address or a part of it. */
  busca?: string | undefined
}

export function createSuppressions({ orm, transaction }: Database) {
  return {
    async list({ busca, antes, depois }: SuppressionFilter) {
      const matches = busca
        ? sql`"rejectedAt" is not null and (${matching(busca, orm)})`
        : sql`"rejectedAt" is not null`
      const { atCursor, order } = pageSql({ antes, depois })
      const [{ rows: counted }, { rows: read }] = await Promise.all([
        orm.execute<{ total: number }>(sql`select count(*)::int as total from enderecos where ${matches}`),
        orm.execute<SuppressionRow>(sql`
          select "addressHmac", "suppressedEmail" as email, "suppressionKind" as tipo, "suppressionDetail" as detalhe,
            "rejectedAt" as desde, (extract(epoch from "rejectedAt") * 1000000)::bigint::text as micros
          from enderecos where ${matches} and ${atCursor} order by ${order} limit ${suppressionsPerPage + 1}`),
      ])
      const { rows, ...cursors } = cursorPage(
        read,
        { size: suppressionsPerPage, isFirst: !antes, depois },
        ({ micros, addressHmac }) => `${micros}.${addressHmac.toString('base64url')}`,
      )
      return { enderecos: rows.map(toSuppression), total: counted[0]?.total ?? 0, ...cursors }
    },

    /** The address may get e-mails again. Its consent and its unsubscribes stay as they are. */
    async remove(id: string, audit: Audit): Promise<void> {
      await transaction(async (tx) => {
        const hmac = Buffer.from(id, 'base64url')
        const { rows } = await tx.execute<{ email: string | null }>(sql`
          with suppressed as (
            select "addressHmac", "suppressedEmail" as email from enderecos
            where "addressHmac" = ${hmac} and "rejectedAt" is not null for update)
          update enderecos set "rejectedAt" = null, "suppressionKind" = null, "suppressionDetail" = null, "suppressedEmail" = null
          from suppressed where enderecos."addressHmac" = suppressed."addressHmac" returning suppressed.email`)
        const [removed] = rows
        if (!removed) throw new AppError('not-found', adminMessages.suppressions.notFound)
        await audit(tx, subjectOf(removed.email))
      })
    },
  }
}

/** Entries of the audit log are never deleted, so they contain no address. */
const subjectOf = (email: string | null) =>
  email === null ? 'endereço apagado' : `…${email.slice(email.lastIndexOf('@'))}`

function toSuppression({ addressHmac, email, tipo, detalhe, desde }: SuppressionRow): Suppression {
  return { id: addressHmac.toString('base64url'), email, tipo, detalhe, desde: new Date(desde).toISOString() }
}

/** A whole address is also found by its HMAC, if the address itself is not stored. */
function matching(text: string, { addressHmac }: Pick<Orm, 'addressHmac'>) {
  const part = sql`strpos("suppressedEmail", ${text.toLowerCase()}) > 0`
  return text.includes('@') ? sql`${part} or "addressHmac" = ${addressHmac(canonicalizeEmail(text))}` : part
}

function pageSql({ antes, depois }: Cursors) {
  const [micros = '', id = ''] = (depois ?? antes ?? '').split('.')
  const order = depois ? sql`"rejectedAt", "addressHmac"` : sql`"rejectedAt" desc, "addressHmac" desc`
  if (!depois && !antes) return { atCursor: sql`true`, order }
  if (!/^\d{1,17}$/.test(micros)) throw new AppError('invalid', adminMessages.list.page)
  const row = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${Buffer.from(id, 'base64url')}::bytea)`
  return { atCursor: sql`("rejectedAt", "addressHmac") ${sql.raw(depois ? '>' : '<')} ${row}`, order }
}
