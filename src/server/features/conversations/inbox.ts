// Conversations as administrators read them: lists, searches, figures, history, and their status.
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Conversation, ConversationMessage } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type ConversationStatus, statusNames } from '#contract/conversation-status.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import { AppError } from '#server/core/errors.ts'
import { phoneKey, typedPhone } from '#server/core/phone.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { botConversas, botMensagens } from '#server/db/schema.ts'
import { beginningsOf, conversationWords, everyWordOf } from '#server/db/words.ts'

export interface Filter {
  status?: ConversationStatus | undefined
  busca?: string | undefined
}

export interface Page extends Cursors {
  limite: number
  offset: number
}

interface Found {
  /** In the order of the page, and one more if there is one. */
  ids: number[]
  total: number
  haMais?: boolean
}

export interface Stats {
  total: number
  hoje: number
  comEmail: number
  comWhatsApp: number
}

export type Inbox = ReturnType<typeof createInbox>

/** Beyond this a search is too wide for anybody to read through. */
const mostCounted = 5_000
/** So many of a wide search are found soon by going from the newest backwards. */
const walkedThrough = 200
/** Of one person; more than a few would be somebody who shares a phone with everybody. */
const mostOfOne = 20
const wasSaid = sql`coalesce(mensagem, "respostaBot", "midiaUrl") is not null`

export function createInbox({ orm, transaction }: Database) {
  /** Both figures are read from an index alone. */
  async function browse({ status }: Filter, page: Page): Promise<Found> {
    const where = status && eq(botConversas.status, status)
    const { beside, onPage } = placeOf(page)
    const [{ rows }, total] = await Promise.all([
      orm.execute<{ id: string }>(sql`select id from ${botConversas} where ${and(where, beside)} ${onPage}`),
      orm.$count(botConversas, where),
    ])
    return { ids: rows.map(({ id }) => Number(id)), total }
  }

  /**
   * Few are found first and put in order afterwards: the other way round, a rare name would be looked for in every conversation.
   * Of many the newest are found soon, and nobody needs to know how many there are.
   */
  async function search({ status, busca = '' }: Filter, page: Page): Promise<Found> {
    const ofStatus = status ? eq(botConversas.status, status) : sql`true`
    const found = and(ofStatus, matching(busca))
    const { beside, order, onPage } = placeOf(page)
    const { rows: few } = await orm.execute<{ ids: string[]; total: number }>(sql`
      with found as materialized (select id, "ultimaEm" from ${botConversas} where ${found} limit ${mostCounted + 1})
      select (select count(*)::int from found) as total, array(select id from found where ${beside} ${onPage}) as ids`)
    const { ids = [], total = 0 } = few[0] ?? {}
    if (total <= mostCounted) return { ids: ids.map(Number), total }
    // Left to itself, the planner would put all of the many in order.
    const newest = sql`(select * from ${botConversas} where ${and(ofStatus, beside)} order by ${order} offset 0) as ${botConversas}`
    const among = page.offset + page.limite <= walkedThrough ? newest : botConversas
    const { rows } = await orm.execute<{ id: string }>(sql`select id from ${among} where ${found} ${onPage}`)
    return { ids: rows.map(({ id }) => Number(id)), total: mostCounted, haMais: true }
  }

  return {
    async list(filter: Filter, page: Page) {
      const { ids, ...figures } = await (filter.busca ? search(filter, page) : browse(filter, page))
      const read = await orm
        .select({ row: botConversas, micros: sql<string>`(extract(epoch from "ultimaEm") * 1000000)::bigint` })
        .from(botConversas)
        .where(inArray(botConversas.id, ids))
        .orderBy(placeOf(page).order)
      const place = { size: page.limite, isFirst: !page.antes && page.offset === 0, depois: page.depois }
      const { rows, ...beside } = cursorPage(read, place, ({ row, micros }) => `${micros}-${row.id}`)
      return { conversas: rows.map(({ row }) => asShown(row)), haMais: false, ...figures, ...beside }
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

    /** Of somebody who is known from elsewhere, by the same phone or the same address. */
    async of({ email, whatsapp }: { email: string; whatsapp: string }) {
      const phone = phoneKey(whatsapp)
      const sameAddress = and(
        sql`${conversationWords} @@ ${everyWordOf(email)}`,
        sql`lower(${botConversas.email}) = ${email.toLowerCase()}`,
      )
      const rows = await orm
        .select({ id: botConversas.id, ultimaEm: botConversas.ultimaEm })
        .from(botConversas)
        .where(or(phone ? withPhone(phone) : undefined, sameAddress))
        .limit(mostOfOne)
      return rows.map(({ id, ultimaEm }) => ({ id, ultimaEm: ultimaEm.toISOString() }))
    },

    async read(id: number): Promise<Conversation> {
      const [row] = await orm.select().from(botConversas).where(eq(botConversas.id, id))
      return asShown(row ?? missing())
    },

    async history(id: number, { limite, antes }: { limite: number; antes?: number | undefined }) {
      const before = sql`(${botMensagens.quando}, ${botMensagens.id}) < (select quando, id from ${botMensagens} where id = ${antes ?? 0})`
      const rows = await orm
        .select()
        .from(botMensagens)
        .where(and(eq(botMensagens.conversaId, id), wasSaid, antes === undefined ? undefined : before))
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
          .set({ status, statusEm: sql`now()`, updatedAt: sql`now()` })
          .where(eq(botConversas.id, id))
        if (!rowCount) missing()
        await audit(tx, `Conversa ${id}: ${statusNames[status].toLowerCase()}`)
      })
    },

    remove(id: number, audit: Audit): Promise<void> {
      return transaction(async (tx) => {
        const { rowCount } = await tx.delete(botConversas).where(eq(botConversas.id, id))
        if (!rowCount) missing()
        await audit(tx, `Conversa ${id}`)
      })
    },
  }
}

/** What a page holds, and the order in which it is read. */
function placeOf({ limite, offset, antes, depois }: Page): { beside: SQL; order: SQL; onPage: SQL } {
  const [micros, id] = (depois ?? antes ?? '').split('-')
  const record = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
  const side = sql.raw(depois ? '>' : '<')
  const beside = id ? sql`("ultimaEm", id) ${side} ${record}` : sql`true`
  const order = depois ? sql`"ultimaEm", id` : sql`"ultimaEm" desc, id desc`
  return { beside, order, onPage: sql`order by ${order} limit ${limite + 1} offset ${id ? 0 : offset}` }
}

function missing(): never {
  throw new AppError('not-found', adminMessages.conversations.notFound)
}

/** A phone however it is typed, words of a name or an address, or the chatbot's own number of somebody. */
function matching(typed: string): SQL | undefined {
  const phone = typedPhone(typed)
  const words = beginningsOf(typed)
  const itself = eq(botConversas.subscriberId, typed)
  if (phone) return or(itself, withPhone(phone))
  return or(itself, words ? sql`${conversationWords} @@ ${words}` : undefined)
}

/** Without its area, whatever the area. */
function withPhone(phone: string): SQL | undefined {
  const wholly = phone.length > 8 ? eq(botConversas.telefone, phone) : undefined
  return and(sql`right(telefone, 8) = ${phone.slice(-8)}`, wholly)
}

function asShown(row: typeof botConversas.$inferSelect): Conversation {
  const { ultimaEm, createdAt, updatedAt } = row
  return {
    ...row,
    status: row.status as ConversationStatus,
    ultimaEm: ultimaEm.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
