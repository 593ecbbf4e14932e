// The suppression list: addresses that get no e-mail, because a server rejected them or their owner complained.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type Suppression, type SuppressionKind, suppressionsPerPage } from '#contract/admin/suppressions.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import { AppError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'

interface SuppressionRow extends Record<string, unknown> {
  addressDigest: Buffer
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
      const matches = busca ? sql`"rejectedAt" is not null and (${matching(busca)})` : sql`"rejectedAt" is not null`
      const { atCursor, order } = pageSql({ antes, depois })
      const [{ rows: counted }, { rows: read }] = await Promise.all([
        orm.execute<{ total: number }>(sql`select count(*)::int as total from enderecos where ${matches}`),
        orm.execute<SuppressionRow>(sql`
          select "addressDigest", "suppressedEmail" as email, "suppressionKind" as tipo, "suppressionDetail" as detalhe,
            "rejectedAt" as desde, (extract(epoch from "rejectedAt") * 1000000)::bigint::text as micros
          from enderecos where ${matches} and ${atCursor} order by ${order} limit ${suppressionsPerPage + 1}`),
      ])
      const { rows, ...cursors } = cursorPage(
        read,
        { size: suppressionsPerPage, isFirst: !antes, depois },
        ({ micros, addressDigest }) => `${micros}.${addressDigest.toString('base64url')}`,
      )
      return { enderecos: rows.map(toSuppression), total: counted[0]?.total ?? 0, ...cursors }
    },

    /** The address may get e-mails again. Its consent and its unsubscribes stay as they are. */
    async remove(id: string, audit: Audit): Promise<void> {
      await transaction(async (tx) => {
        const digest = Buffer.from(id, 'base64url')
        const { rows } = await tx.execute<{ email: string | null }>(sql`
          with suppressed as (
            select "addressDigest", "suppressedEmail" as email from enderecos
            where "addressDigest" = ${digest} and "rejectedAt" is not null for update)
          update enderecos set "rejectedAt" = null, "suppressionKind" = null, "suppressionDetail" = null, "suppressedEmail" = null
          from suppressed where enderecos."addressDigest" = suppressed."addressDigest" returning suppressed.email`)
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

function toSuppression({ addressDigest, email, tipo, detalhe, desde }: SuppressionRow): Suppression {
  return { id: addressDigest.toString('base64url'), email, tipo, detalhe, desde: new Date(desde).toISOString() }
}

/** A whole address is also found by its digest, if the address itself is not stored. */
function matching(text: string) {
  const part = sql`strpos("suppressedEmail", ${text.toLowerCase()}) > 0`
  return text.includes('@') ? sql`${part} or "addressDigest" = ${digestOf(canonicalizeEmail(text))}` : part
}

function pageSql({ antes, depois }: Cursors) {
  const [micros = '', id = ''] = (depois ?? antes ?? '').split('.')
  const order = depois ? sql`"rejectedAt", "addressDigest"` : sql`"rejectedAt" desc, "addressDigest" desc`
  if (!depois && !antes) return { atCursor: sql`true`, order }
  if (!/^\d{1,17}$/.test(micros)) throw new AppError('invalid', adminMessages.list.page)
  const row = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${Buffer.from(id, 'base64url')}::bytea)`
  return { atCursor: sql`("rejectedAt", "addressDigest") ${sql.raw(depois ? '>' : '<')} ${row}`, order }
}
