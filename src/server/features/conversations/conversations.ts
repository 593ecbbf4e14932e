// Conversations for administrators: lists, search, statistics, history and status.
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Conversation, ConversationMessage } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type ConversationStatus, statusNames } from '#contract/conversation-status.ts'
import { phoneKey, typedPhone } from '#contract/phone.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import { conversationSearchVector, prefixQuery } from '#server/db/conversation-search.ts'
import type { Database } from '#server/db/database.ts'
import { maxConversationsPerPerson, withMailbox, withPhone } from '#server/db/own-conversations.ts'
import { botConversas, botMensagens } from '#server/db/schema.ts'

interface Filter {
  status?: ConversationStatus | undefined
  busca?: string | undefined
}

interface Page extends Cursors {
  limite: number
  offset: number
}

interface FoundPage {
  /** In page order, with one more than the page holds if there is one. */
  ids: number[]
  total: number
  haMais?: boolean
}

interface Stats {
  total: number
  hoje: number
  comEmail: number
  comWhatsApp: number
}

/** Above this, a search counts as wide: the result is too long to read, so its total is not counted. */
const maxCounted = 5_000
/** Up to this position, the matches of a wide search are found quickly by scanning from the newest conversation. */
const maxScanPosition = 200
const hasContent = sql`coalesce(mensagem, "respostaBot", "midiaUrl") is not null`

export function createConversations({ orm, transaction }: Database) {
  /** Page and total are read from an index only. */
  async function browse({ status }: Filter, page: Page): Promise<FoundPage> {
    const where = status && eq(botConversas.status, status)
    const { atCursor, orderAndLimit } = pageSql(page)
    const [{ rows }, total] = await Promise.all([
      orm.execute<{ id: string }>(sql`select id from ${botConversas} where ${and(where, atCursor)} ${orderAndLimit}`),
      orm.$count(botConversas, where),
    ])
    return { ids: rows.map(({ id }) => Number(id)), total }
  }

  /**
   * A narrow search is filtered first and sorted afterwards: sorting first would test every conversation for a rare
   * name. A wide search finds its newest matches quickly, and its exact total is not needed.
   */
  async function search({ status, busca = '' }: Filter, page: Page): Promise<FoundPage> {
    const hasStatus = status ? eq(botConversas.status, status) : sql`true`
    const matches = and(hasStatus, matching(busca))
    const { atCursor, order, orderAndLimit } = pageSql(page)
    const { rows: narrow } = await orm.execute<{ ids: string[]; total: number }>(sql`
      with matches as materialized (select id, "ultimaEm" from ${botConversas} where ${matches} limit ${maxCounted + 1})
      select (select count(*)::int from matches) as total, array(select id from matches where ${atCursor} ${orderAndLimit}) as ids`)
    const { ids = [], total = 0 } = narrow[0] ?? {}
    if (total <= maxCounted) return { ids: ids.map(Number), total }
    // Without `offset 0`, the planner would sort all matches.
    const newest = sql`(select * from ${botConversas} where ${and(hasStatus, atCursor)} order by ${order} offset 0) as ${botConversas}`
    const source = page.offset + page.limite <= maxScanPosition ? newest : botConversas
    const { rows } = await orm.execute<{ id: string }>(sql`select id from ${source} where ${matches} ${orderAndLimit}`)
    return { ids: rows.map(({ id }) => Number(id)), total: maxCounted, haMais: true }
  }

  return {
    async list(filter: Filter, page: Page) {
      const { ids, ...totals } = await (filter.busca ? search(filter, page) : browse(filter, page))
      const fetched = await orm
        .select({ row: botConversas, micros: sql<string>`(extract(epoch from "ultimaEm") * 1000000)::bigint` })
        .from(botConversas)
        .where(inArray(botConversas.id, ids))
        .orderBy(pageSql(page).order)
      const position = { size: page.limite, isFirst: !page.antes && page.offset === 0, depois: page.depois }
      const { rows, ...cursors } = cursorPage(fetched, position, ({ row, micros }) => `${micros}-${row.id}`)
      return { conversas: rows.map(({ row }) => toConversation(row)), haMais: false, ...totals, ...cursors }
    },

    async stats(): Promise<Stats> {
      const today = sql`date_trunc('day', now() at time zone 'America/Sao_Paulo') at time zone 'America/Sao_Paulo'`
      const [total, hoje, comEmail, comWhatsApp] = await Promise.all([
        orm.$count(botConversas),
        orm.$count(botConversas, sql`${botConversas.createdAt} >= ${today}`),
        orm.$count(botConversas, sql`email is not null`),
        orm.$count(botConversas, sql`whatsapp is not null`),
      ])
      return { total, hoje, comEmail, comWhatsApp }
    },

    /** The conversations of a person from another list, by the same phone number or e-mail address. */
    async of({ email, whatsapp }: { email: string; whatsapp: string }) {
      const phone = phoneKey(whatsapp)
      const rows = await orm
        .select({ id: botConversas.id, ultimaEm: botConversas.ultimaEm })
        .from(botConversas)
        .where(or(phone ? withPhone(phone) : undefined, withMailbox(mailboxOf(canonicalizeEmail(email)))))
        .limit(maxConversationsPerPerson)
      return rows.map(({ id, ultimaEm }) => ({ id, ultimaEm: ultimaEm.toISOString() }))
    },

    async read(id: number): Promise<Conversation> {
      const [row] = await orm.select().from(botConversas).where(eq(botConversas.id, id))
      return toConversation(row ?? notFound())
    },

    async history(id: number, { limite, antes }: { limite: number; antes?: number | undefined }) {
      const before = sql`(${botMensagens.quando}, ${botMensagens.id}) < (select quando, id from ${botMensagens} where id = ${antes ?? 0})`
      const rows = await orm
        .select()
        .from(botMensagens)
        .where(and(eq(botMensagens.conversationId, id), hasContent, antes === undefined ? undefined : before))
        .orderBy(desc(botMensagens.quando), desc(botMensagens.id))
        .limit(limite + 1)
      const mensagens = rows
        .slice(0, limite)
        .map(({ quando, ...message }): ConversationMessage => ({ ...message, quando: quando.toISOString() }))
      return { mensagens, anteriores: rows.length > limite }
    },

    changeStatus(id: number, status: ConversationStatus, audit: Audit): Promise<void> {
      return transaction(async (tx) => {
        const { rowCount } = await tx
          .update(botConversas)
          .set({ status, statusAt: sql`now()`, updatedAt: sql`now()` })
          .where(eq(botConversas.id, id))
        if (!rowCount) notFound()
        await audit(tx, `Conversa ${id}: ${statusNames[status].toLowerCase()}`)
      })
    },

    remove(id: number, audit: Audit): Promise<void> {
      return transaction(async (tx) => {
        const { rowCount } = await tx.delete(botConversas).where(eq(botConversas.id, id))
        if (!rowCount) notFound()
        await audit(tx, `Conversa ${id}`)
      })
    },
  }
}

/** The SQL that selects and sorts the rows of a page. */
function pageSql({ limite, offset, antes, depois }: Page): { atCursor: SQL; order: SQL; orderAndLimit: SQL } {
  const [micros, id] = (depois ?? antes ?? '').split('-')
  const record = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
  const side = sql.raw(depois ? '>' : '<')
  const atCursor = id ? sql`("ultimaEm", id) ${side} ${record}` : sql`true`
  const order = depois ? sql`"ultimaEm", id` : sql`"ultimaEm" desc, id desc`
  return { atCursor, order, orderAndLimit: sql`order by ${order} limit ${limite + 1} offset ${id ? 0 : offset}` }
}

function notFound(): never {
  throw new AppError('not-found', adminMessages.conversations.notFound)
}

/** Matches a phone number in any format, words of a name or e-mail address, or the chatbot's subscriber id. */
function matching(text: string): SQL | undefined {
  const phone = typedPhone(text)
  const words = prefixQuery(text)
  const sameSubscriber = eq(botConversas.subscriberId, text)
  if (phone) return or(sameSubscriber, withPhone(phone))
  return or(sameSubscriber, words ? sql`${conversationSearchVector} @@ ${words}` : undefined)
}

function toConversation(row: typeof botConversas.$inferSelect): Conversation {
  const { ultimaEm, createdAt, updatedAt } = row
  return {
    ...row,
    status: row.status as ConversationStatus,
    ultimaEm: ultimaEm.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
