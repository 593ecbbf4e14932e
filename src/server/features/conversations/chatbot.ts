// Stores chatbot calls: one conversation per subscriber, each call once. Late calls never overwrite newer data.
import { hash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { ChatbotCall } from '#contract/conversations.ts'
import { httpMessages } from '#contract/messages.ts'
import { phoneKey } from '#contract/phone.ts'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import { AppError } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { retry } from '#server/core/retry.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { botConversas, botMensagens } from '#server/db/schema.ts'
import { createTokenBuckets } from '#server/http/admission/token-bucket.ts'

const maxWaitMs = 3_000
/** Signing uses the same database connections, so most of them stay free for it. */
const maxAtOnce = 3
/** A call without id and time counts as a repetition of an equal call within this time. */
const repetitionSeconds = 30

export function createChatbot({ database, metrics }: { database: Database; metrics: Metrics }) {
  // A chatbot flow that loops for one subscriber must not fill the history.
  const bySubscriber = createTokenBuckets({ capacity: 300, perSecond: 1, buckets: 2 ** 12 })
  const limited = createConcurrencyLimit({
    maxAtOnce,
    maxWaiting: 500,
    maxWaitMs,
    onRefusal: () => metrics.shed('chatbot'),
  })

  return {
    /** Resolves after the commit. A repeated call stores nothing and resolves the same way. */
    async record(call: ChatbotCall): Promise<void> {
      if (!bySubscriber.take(call.subscriberId)) {
        metrics.shed('chatbot')
        throw new AppError('too-many', httpMessages.tooMany)
      }
      await retry(() => limited(() => store(database, call)), { timeoutMs: maxWaitMs, isTransient })
    },
  }
}

/** Identifies a call among the calls of one subscriber. */
function keyOf({ eventId, ...content }: ChatbotCall): string {
  return hash('sha256', JSON.stringify(eventId === null ? content : [eventId]), 'base64url')
}

async function store({ transaction }: Database, call: ChatbotCall): Promise<void> {
  const { subscriberId, nome, email, whatsapp, mensagem, respostaBot, midiaUrl, tags, customFields } = call
  const isIdentified = call.eventId !== null || call.quando !== null
  const key = keyOf(call)
  const quando = sql`least(${call.quando?.toISOString() ?? null}::timestamptz, statement_timestamp())`
  const telefone = whatsapp === null ? null : (phoneKey(whatsapp) ?? null)

  await transaction(async (tx) => {
    // Serialises the calls of one subscriber on all nodes: the next statement sees what the previous call stored.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${subscriberId}, 0))`)
    // A repetition stores nothing but writes a message to PostgreSQL's write-ahead log. So its commit waits for the
    // synchronous standby, which may not have received the original call.
    await tx.execute(sql`
      with original as (
        select from ${botMensagens} m join ${botConversas} c on c.id = m."conversationId"
        where c."subscriberId" = ${subscriberId} and m.key = ${key}
          and (${isIdentified} or m."createdAt" > now() - make_interval(secs => ${repetitionSeconds}))
      ), conversa as (
        insert into ${botConversas} as existing ("subscriberId", nome, email, whatsapp, telefone, mensagem, "respostaBot", tags,
          "customFields", status, origem, "ultimaEm", "statusAt")
        select ${subscriberId}, ${nome}, ${email}, ${whatsapp}, ${telefone}, ${mensagem ?? midiaUrl}, ${respostaBot},
          ${sql.param(tags)}::text[], ${JSON.stringify(customFields)}::jsonb, ${call.status ?? 'active'}, ${call.origem ?? 'botconversa'},
          ${quando}, ${quando}
        where not exists (select from original)
        on conflict ("subscriberId") do update set ${changes(call)}
        returning id
      ), stored_message as (
        insert into ${botMensagens} ("conversationId", key, mensagem, "respostaBot", "midiaUrl", quando)
        select id, ${key}, ${mensagem}, ${respostaBot}, ${midiaUrl}, ${quando} from conversa
      )
      select pg_logical_emit_message(true, 'repetida', '') where exists (select from original)`)
  })
}

const isNewer = sql.raw(`excluded."ultimaEm" >= existing."ultimaEm"`)
const maxTags = 100
const maxCustomFieldBytes = 64 * 1024

/** The SET clause for an existing conversation. A late call only fills gaps. */
function changes({ status, mensagem, midiaUrl, origem }: ChatbotCall): SQL {
  const newest = (column: string) => {
    const [incoming, existing] = [sql.raw(`excluded."${column}"`), sql.raw(`existing."${column}"`)]
    return sql`${sql.raw(`"${column}"`)} = case when ${isNewer} then coalesce(${incoming}, ${existing}) else coalesce(${existing}, ${incoming}) end`
  }
  // A new message reopens a completed conversation. A blocked one stays blocked until the chatbot or an administrator
  // changes its status.
  const canReopen = status === null && (mensagem ?? midiaUrl) !== null
  const changesStatus = sql`${isNewer} and excluded."ultimaEm" >= existing."statusAt"
    and (${status !== null} or (${canReopen} and existing.status = 'completed'))`
  return sql.join(
    [
      ...['nome', 'email', 'whatsapp', 'mensagem', 'respostaBot'].map(newest),
      sql`telefone = case when excluded.whatsapp is not null and (${isNewer} or existing.whatsapp is null)
        then excluded.telefone else existing.telefone end`,
      // Above the limit, the newer tags stay.
      sql`tags = array(select tag from unnest(case when ${isNewer} then excluded.tags || existing.tags else existing.tags || excluded.tags end)
        with ordinality as merged(tag, ordinal) group by tag order by min(ordinal) limit ${maxTags})`,
      sql`"customFields" = case
        when octet_length(existing."customFields"::text) + octet_length(excluded."customFields"::text) > ${maxCustomFieldBytes}
          then case when ${isNewer} then excluded."customFields" else existing."customFields" end
        when ${isNewer} then existing."customFields" || excluded."customFields"
        else excluded."customFields" || existing."customFields" end`,
      ...(origem === null ? [] : [newest('origem')]),
      sql`status = case when ${changesStatus} then excluded.status else existing.status end`,
      sql`"statusAt" = case when ${changesStatus} then excluded."ultimaEm" else existing."statusAt" end`,
      sql`"ultimaEm" = greatest(existing."ultimaEm", excluded."ultimaEm")`,
      sql`"updatedAt" = now()`,
    ],
    sql`, `,
  )
}
