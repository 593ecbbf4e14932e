// Signing and forms queue one row for many records. After the response, the fan-out replaces it with deliveries.
import { codeOf, type Database } from '#server/db/database.ts'
import { lookupJoin } from '#server/db/lookup-join.ts'
import { enqueueSql, type OutboxKind } from '#server/db/outbox.ts'
import { formTables, type PersonTable } from '#server/db/people-descriptors.ts'
import { claimed, countClaimed } from '#server/outbox/queue/claimed-rows.ts'
import { type EmailTemplate, unreadableReason } from '#server/outbox/queue/kinds.ts'
import { moveRenamedSignatures } from '#server/outbox/queue/renamed-campaigns.ts'
import { fanOutRepeatedRequests } from '#server/outbox/queue/repeated-requests.ts'

export type FanOut = ReturnType<typeof createFanOut>

const maxRows = 25

/** The inserts read the ids from `given`, in parts of 1,000. */
const fanOut = (kind: OutboxKind, inserts: string[], limit = maxRows) => `
with ${claimed(kind, limit)},
given as (
  select id::uuid, (row_number() over () - 1) / 1000 as part from taken, jsonb_array_elements_text(payload) as elements(id)),
${inserts.map((insert, n) => `queued${n} as (${insert})`).join(',\n')}
${countClaimed}`

const enqueueEmails = (modelo: EmailTemplate, clauses = 'from given group by part') =>
  enqueueSql('emails', `jsonb_build_object('modelo', '${modelo}', 'ids', jsonb_agg(given.id))`, { clauses })

const enqueueRows = (aba: string, tabela: PersonTable, clauses = 'from given group by part') => {
  const payload = `jsonb_build_object('aba', ${aba}, 'tabela', '${tabela}', 'ids', jsonb_agg(given.id order by given.id))`
  return enqueueSql('planilha', payload, { clauses })
}

const fanOutForm = ({ outboxKind, emailTemplate, sheetTab, table }: (typeof formTables)[number]) =>
  fanOut(outboxKind, [
    enqueueRows(`'${sheetTab}'`, table),
    enqueueSql('email', `jsonb_build_object('modelo', '${emailTemplate}', 'id', id)`, { clauses: 'from given' }),
  ])

const tabOfCampaign = 'coalesce("sheetTab", campanha)'
const signatures = `given cross join ${lookupJoin('peticoes', 'given.id')}`
const byTab = `from ${signatures} left join campaigns on slug = campanha group by ${tabOfCampaign}, part`
const unconfirmed = `from ${signatures} where "confirmadoEm" is null and $1 group by part`

const statements = {
  assinaturas: fanOut('assinaturas', [enqueueRows(tabOfCampaign, 'peticoes', byTab), enqueueEmails('assinatura')]),
  'pedidos-repetidos': fanOutRepeatedRequests,
  'assinaturas-repetidas': fanOut('assinaturas-repetidas', [enqueueEmails('repetida')]),
  lembretes: fanOut('lembretes', [enqueueEmails('lembrete', unconfirmed)], 5),
  ...Object.fromEntries(formTables.map((form) => [form.outboxKind, fanOutForm(form)])),
} satisfies Partial<Record<OutboxKind, string>>

export const fanOutKinds = Object.keys(statements)

// Reminders are due two days from now, not two days after signing: if the first e-mail was late, the reminder must not
// follow at once.
const splitWaitingEmails = `
with ${claimed('emails', 1)},
emails as (
  ${enqueueSql('email', `jsonb_build_object('modelo', payload->'modelo', 'id', element)`, {
    ...{ dueAt: '"createdAt"', createdAt: '"createdAt"' },
    clauses: `from taken, jsonb_array_elements(payload->'ids') as elements(element)`,
  })}),
reminders as (
  ${enqueueSql('lembretes', `payload->'ids'`, {
    dueAt: `now() + interval '2 days'`,
    clauses: `from taken where $1 and payload->>'modelo' = 'assinatura'`,
  })})
${countClaimed}`

// The server never writes such a row, but a manual repair of the database may.
const deadLetterMalformed = `
update outbox set dead = true, reason = $2
where not dead and "dueAt" <= now() and kind = $1
  and case jsonb_typeof(coalesce(payload->'ids', payload)) when 'array'
    then exists (select from jsonb_array_elements_text(coalesce(payload->'ids', payload)) as elements(id)
      where id is null or id !~* case kind when 'pedidos-repetidos' then '^{' else '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' end)
    else true end
returning id`

/** Error codes of a payload that is no array, and of an element that is no id or, in repeated requests, no object. */
const malformedCodes = ['22023', '22P02']

/** Makes dead letters of malformed rows, so that they do not block the others. Returns undefined if there were any. */
async function withoutMalformed<T>({ query }: Database, kind: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!malformedCodes.includes(codeOf(error) ?? '')) throw error
    const dead = await query('dead-letter-malformed', deadLetterMalformed, [kind, unreadableReason(kind)])
    if (dead.length === 0) throw error
    return undefined
  }
}

/** `reminders` says whether people who have not confirmed get a reminder, days later. */
export function createFanOut(database: Database, { reminders }: { reminders: () => Promise<boolean> }) {
  return {
    /** Replaces rows with deliveries in one statement per kind. Returns whether there may be more rows. */
    async run(): Promise<boolean> {
      // First, because deliveries contain the tab and the title of their campaign.
      await moveRenamedSignatures(database)
      let mayBeMore = false
      for (const [kind, text] of Object.entries(statements)) {
        const values = kind === 'lembretes' ? [await reminders()] : []
        const rows = await withoutMalformed(database, kind, () =>
          database.query<{ n: number }>(`fan-out-${kind}`, text, values),
        )
        mayBeMore ||= rows === undefined || rows[0]?.n === maxRows
      }
      return mayBeMore
    },
  }
}

/**
 * Splits one row of queued e-mails into single e-mails, and schedules reminders for people who have not confirmed.
 * Returns whether there was one.
 */
export async function splitEmails(database: Database, { reminders }: { reminders: boolean }): Promise<boolean> {
  const rows = await withoutMalformed(database, 'emails', () =>
    database.query<{ n: number }>('split-emails', splitWaitingEmails, [reminders]),
  )
  return rows === undefined || (rows[0]?.n ?? 0) > 0
}
