// The hourly ceiling of first e-mails, over all nodes: somebody may type the addresses of thousands of strangers.
// Above it they wait in the queue, in their order. All other e-mails continue.
import type { Database } from '#server/db/database.ts'
import { formTables } from '#server/db/people-descriptors.ts'
import type { EmailTemplate } from '#server/outbox/queue/kinds.ts'

/** E-mails to an address that somebody typed into a form, and whose owner has not asked for anything yet. */
const firstTemplates: readonly EmailTemplate[] = ['assinatura', ...formTables.map(({ emailTemplate }) => emailTemplate)]

export const isFirstEmail = (template: EmailTemplate): boolean => firstTemplates.includes(template)

/** In `destinos`: when the e-mails of this hour would all have been sent at the rate of the ceiling. */
export const firstEmailsName = 'primeiros-emails'

/** E-mails are released for at least this long at once. */
export const releaseMs = 60_000

const maxHeld = 5_000

const firstEmailRows = `
  kind in ('email', 'emails') and not dead and "leasedBy" is null and attempts = 0
    and payload->>'modelo' = any('{${firstTemplates.join(',')}}')`

// Those that wait keep the order of their ids. Rows that another node is claiming are held back by that node.
const holdRows = `
update outbox set "dueAt" = $1 where id = any(array(
  select id from outbox where ${firstEmailRows} and "dueAt" < $1
  order by "dueAt", id limit ${maxHeld} for update skip locked)) returning 1 as held`

/** Without this, each of them would be claimed only to be held back, and others would wait behind them. */
export async function holdFirstEmails({ query }: Database, until: Date): Promise<void> {
  let held: unknown[]
  do held = await query('hold-first-emails', holdRows, [until])
  while (held.length === maxHeld)
}

export interface HeldEmails {
  waiting: number
  /** When the next ones are sent. */
  until: Date
}

/** The first e-mails that wait because of the ceiling. Null if there are none. */
export async function heldFirstEmails({ query }: Pick<Database, 'query'>): Promise<HeldEmails | null> {
  const [row] = await query<{ waiting: string; until: Date | null }>(
    'held-first-emails',
    `select coalesce(sum(case kind when 'emails' then jsonb_array_length(payload->'ids') else 1 end), 0) as waiting,
      min("dueAt") as until from outbox where ${firstEmailRows} and "dueAt" > now()`,
    [],
  )
  return row?.until ? { waiting: Number(row.waiting), until: row.until } : null
}
