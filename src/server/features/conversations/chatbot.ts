// What the chatbot tells, stored: one conversation per subscriber, every call once, and nothing newer overwritten by what comes late.
import { hash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { ChatbotCall } from '#contract/conversations.ts'
import { httpMessages } from '#contract/messages.ts'
import { createAllowance } from '#server/core/allowance.ts'
import { AppError } from '#server/core/errors.ts'
import { createInTurn } from '#server/core/in-turn.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { phoneKey } from '#server/core/phone.ts'
import { tryAgain } from '#server/core/try-again.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { botConversas, botMensagens } from '#server/db/schema.ts'

export interface Chatbot {
  /** Resolves once it is committed. The same call again stores nothing more, and resolves in the same way. */
  take(call: ChatbotCall): Promise<void>
}

const patienceMs = 3_000
/** Signing uses the same connections: most of them stay free for it. */
const mostAtOnce = 3
/** Without an id or a time of its own, a call with the same content is taken for a repetition for this long. */
const repeatedWithinSeconds = 30

export function createChatbot({ database, metrics }: { database: Database; metrics: Metrics }): Chatbot {
  // A flow that runs in circles for one person must not fill the history.
  const bySubscriber = createAllowance({ capacity: 300, perSecond: 1, buckets: 2 ** 12 })
  const inTurn = createInTurn({ mostAtOnce, mostWaiting: 500, patienceMs, onRefusal: () => metrics.shed('chatbot') })

  return {
    async take(call) {
      if (!bySubscriber.take(call.subscriberId)) {
        metrics.shed('chatbot')
        throw new AppError('too-many', httpMessages.tooMany)
      }
      await tryAgain(() => inTurn(() => store(database, call)), { patienceMs, isTransient })
    },
  }
}

/** What tells a call from another one of the same person. */
function keyOf({ eventId, ...content }: ChatbotCall): string {
  return hash('sha256', JSON.stringify(eventId === null ? content : [eventId]), 'base64url')
}

async function store({ transaction }: Database, call: ChatbotCall): Promise<void> {
  const { subscriberId, nome, email, whatsapp, mensagem, respostaBot, midiaUrl, tags, customFields } = call
  const identified = call.eventId !== null || call.quando !== null
  const chave = keyOf(call)
  const quando = sql`least(${call.quando?.toISOString() ?? null}::timestamptz, statement_timestamp())`
  const telefone = whatsapp === null ? null : (phoneKey(whatsapp) ?? null)

  await transaction(async (tx) => {
    // Calls for one person follow each other, on whichever node they arrive: the next statement sees what the one before stored.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${subscriberId}, 0))`)
    // What stores nothing leaves a mark in PostgreSQL's log: it then waits for the synchronous standby, which may not have what it repeats.
    await tx.execute(sql`
      with known as (
        select from ${botMensagens} m join ${botConversas} c on c.id = m."conversaId"
        where c."subscriberId" = ${subscriberId} and m.chave = ${chave}
          and (${identified} or m."createdAt" > now() - make_interval(secs => ${repeatedWithinSeconds}))
      ), conversa as (
        insert into ${botConversas} as kept ("subscriberId", nome, email, whatsapp, telefone, mensagem, "respostaBot", tags,
          "customFields", status, origem, "ultimaEm", "statusEm")
        select ${subscriberId}, ${nome}, ${email}, ${whatsapp}, ${telefone}, ${mensagem ?? midiaUrl}, ${respostaBot},
          ${sql.param(tags)}::text[], ${JSON.stringify(customFields)}::jsonb, ${call.status ?? 'active'}, ${call.origem ?? 'botconversa'},
          ${quando}, ${quando}
        where not exists (select from known)
        on conflict ("subscriberId") do update set ${changes(call)}
        returning id
      ), kept_call as (
        insert into ${botMensagens} ("conversaId", chave, mensagem, "respostaBot", "midiaUrl", quando)
        select id, ${chave}, ${mensagem}, ${respostaBot}, ${midiaUrl}, ${quando} from conversa
      )
      select pg_logical_emit_message(true, 'repetida', '') where exists (select from known)`)
  })
}

const isNewer = sql.raw(`excluded."ultimaEm" >= kept."ultimaEm"`)
const mostTags = 100
const mostCustomFieldBytes = 64 * 1024

/** What a call changes in a conversation that is there. What comes late only fills gaps. */
function changes({ status, mensagem, midiaUrl, origem }: ChatbotCall): SQL {
  const newest = (column: string) => {
    const [came, kept] = [sql.raw(`excluded."${column}"`), sql.raw(`kept."${column}"`)]
    return sql`${sql.raw(`"${column}"`)} = case when ${isNewer} then coalesce(${came}, ${kept}) else coalesce(${kept}, ${came}) end`
  }
  // Who writes again after the end opens the conversation again; who was blocked stays so until the chatbot or an administrator says otherwise.
  const opensAgain = status === null && (mensagem ?? midiaUrl) !== null
  const changesStatus = sql`${isNewer} and excluded."ultimaEm" >= kept."statusEm"
    and (${status !== null} or (${opensAgain} and kept.status = 'completed'))`
  return sql.join(
    [
      ...['nome', 'email', 'whatsapp', 'mensagem', 'respostaBot'].map(newest),
      sql`telefone = case when excluded.whatsapp is not null and (${isNewer} or kept.whatsapp is null)
        then excluded.telefone else kept.telefone end`,
      // Where both are too many together, the newer ones stay.
      sql`tags = array(select tag from unnest(case when ${isNewer} then excluded.tags || kept.tags else kept.tags || excluded.tags end)
        with ordinality as every(tag, place) group by tag order by min(place) limit ${mostTags})`,
      sql`"customFields" = case
        when octet_length(kept."customFields"::text) + octet_length(excluded."customFields"::text) > ${mostCustomFieldBytes}
          then case when ${isNewer} then excluded."customFields" else kept."customFields" end
        when ${isNewer} then kept."customFields" || excluded."customFields"
        else excluded."customFields" || kept."customFields" end`,
      ...(origem === null ? [] : [newest('origem')]),
      sql`status = case when ${changesStatus} then excluded.status else kept.status end`,
      sql`"statusEm" = case when ${changesStatus} then excluded."ultimaEm" else kept."statusEm" end`,
      sql`"ultimaEm" = greatest(kept."ultimaEm", excluded."ultimaEm")`,
      sql`"updatedAt" = now()`,
    ],
    sql`, `,
  )
}
