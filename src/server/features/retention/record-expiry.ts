// Erases records of people whose retention period has ended, in small transactions. Signatures still count.
import { type SQL, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { foldText } from '#contract/fold-text.ts'
import type { RetentionPeriods } from '#contract/retention.ts'
import type { LocalMailbox } from '#server/adapters/local-mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { cityKey, officialCities, otherCities } from '#server/core/official-cities.ts'
import { retry } from '#server/core/retry.ts'
import { insertAuditEntry } from '#server/db/audit.ts'
import { codeOf, type Database, type Orm } from '#server/db/database.ts'
import { addErasedSignatures } from '#server/db/erased-signatures.ts'
import { deleteMailboxStates, deleteRecords, eraseDeadLetters, idsOf } from '#server/db/mailbox-erasure.ts'
import { lockMailboxes } from '#server/db/mailbox-lock.ts'
import { mailboxesWithRecords } from '#server/db/mailbox-records.ts'
import { type FormKind, peopleDescriptors } from '#server/db/people-descriptors.ts'
import { eraseWantedSignatures } from '#server/db/signature-removal.ts'
import { anonymizeQuotas } from '#server/outbox/email/email-quota.ts'
import { quotaKeyOfForm } from '#server/outbox/email/template-data.ts'

/** Local e-mails are read once per page. */
const pageSize = 2_000
/** Records per transaction. */
const batchSize = 100
const retryMs = 3_000
/** With a change of the same person. */
const isDeadlock = (error: unknown) => codeOf(error) === '40P01'

/** Counts the erased records that are not in the audit log yet, so that a crash loses none of them. */
const counterPrefix = 'apagados-por-prazo-'

interface ExpiryParts {
  database: Database
  throttle: BackgroundThrottle
  mailbox: Pick<LocalMailbox, 'forgetRecipients'>
  periods: RetentionPeriods
  /** Called after spreadsheet rows were queued. */
  onQueued(): void
  signal: AbortSignal
  /** The clock of the database: a node with a wrong clock erases nothing too early. */
  now: SQL
}

interface ExpiredRecord extends Record<string, unknown> {
  id: string
  email: string
  canonicalEmail: string
}

/** The records of a form, or the signatures of a campaign. */
interface Scope {
  kind: PeopleKind
  /** Condition on the record `p`. */
  isExpired: SQL
  /** An order that an index provides, the position of a record in it as text, and the records after a position. */
  order: SQL
  position: SQL
  after(position: string): SQL
  /** Counts the e-mails about these records. */
  quotaKey: string
  /** The campaign is still over when its signatures are erased. */
  campaign?: { slug: string; endedBefore: SQL }
}

export function createRecordExpiry({ database, throttle, mailbox, periods, onQueued, signal, now }: ExpiryParts) {
  async function scopesOf(kind: PeopleKind, before: SQL): Promise<Scope[]> {
    if (kind !== 'assinaturas') return [formScope(kind, before)]
    const { rows } = await database.orm.execute<{ slug: string }>(
      sql`select slug from campaigns where ${hasEnded(before)} order by id`,
    )
    return rows.map(({ slug }) => campaignScope(slug, before))
  }

  async function* pagesOf({ kind, isExpired, order, position, after }: Scope): AsyncGenerator<ExpiredRecord[]> {
    let isFurther = sql`true`
    for (;;) {
      const { rows } = await database.orm.execute<ExpiredRecord & { position: string }>(sql`
        select id, email, "canonicalEmail", ${position} as position from ${tableOf(kind)} p
        where ${isExpired} and ${isFurther} order by ${order} limit ${pageSize}`)
      const last = rows.at(-1)
      if (!last) return
      yield rows
      if (rows.length < pageSize) return
      isFurther = after(last.position)
    }
  }

  /** Everything that belongs to the records goes with them. What is left of a mailbox without other records goes too. */
  function eraseBatch(scope: Scope, batch: ExpiredRecord[], officialCity: OfficialCity): Promise<number> {
    const { kind, isExpired, quotaKey, campaign } = scope
    const { table } = peopleDescriptors[kind]
    const isInBatch = sql`id = any(${sql.param(idsOf(batch))}::uuid[])`
    return database.transaction(async (tx) => {
      if (campaign && !(await lockEnded(tx, campaign))) return 0
      await lockMailboxes(tx, mailboxesOf(batch).map(tx.addressHmac))
      await tx.execute(sql`select from ${tableOf(kind)} where ${isInBatch} order by id for update`)
      // Read after the locks: somebody may have worked on a record, or another node may have erased it.
      const { rows } = await tx.execute<ExpiredRecord>(
        sql`select id, email, "canonicalEmail" from ${tableOf(kind)} p where ${isInBatch} and ${isExpired}`,
      )
      if (rows.length === 0) return 0
      const records = rows.map((row) => ({ ...row, source: table }))
      if (campaign) await addErasedSignatures(tx, idsOf(records), officialCity)
      await deleteRecords(tx, records, eraseWantedSignatures)
      await anonymizeQuotas(
        tx,
        records.map(({ canonicalEmail }) => ({ canonicalEmail, campanha: quotaKey })),
      )
      const inUse = await mailboxesWithRecords(tx, mailboxesOf(records))
      const isLast = ({ canonicalEmail }: Pick<ExpiredRecord, 'canonicalEmail'>) =>
        !inUse.has(mailboxOf(canonicalEmail))
      const last = records.filter(isLast)
      await eraseDeadLetters(tx, mailboxesOf(last), idsOf(records))
      if (last.length > 0) await deleteMailboxStates(tx, mailboxesOf(last), last)
      await tx.execute(sql`
        insert into contadores (name, n) values (${counterPrefix + kind}, ${records.length})
        on conflict (name) do update set n = contadores.n + excluded.n`)
      return records.length
    })
  }

  async function eraseScope(scope: Scope, officialCity: OfficialCity): Promise<void> {
    for await (const page of pagesOf(scope)) {
      // Before the records are deleted: if a file cannot be removed, the next run can still read the address.
      const addresses = new Set(page.map(({ email }) => email.toLowerCase()))
      await mailbox.forgetRecipients((to) => addresses.has(to.toLowerCase()))
      for (let first = 0; first < page.length && !signal.aborted; first += batchSize) {
        const batch = page.slice(first, first + batchSize)
        const attempt = () => eraseBatch(scope, batch, officialCity)
        const erase = async () => !signal.aborted && retry(attempt, { timeoutMs: retryMs, isTransient: isDeadlock })
        if (await throttle.run(erase, signal)) onQueued()
      }
      if (signal.aborted) return
    }
  }

  /** One audit entry for each kind of which something was erased. */
  const recordErased = () =>
    database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ name: string; n: string }>(
        sql`delete from contadores where starts_with(name, ${counterPrefix}) returning name, n`,
      )
      for (const { name, n } of rows)
        await insertAuditEntry(tx, {
          username: adminMessages.auditLog.retention,
          action: adminMessages.auditLog.expiredErased,
          target: `${name.slice(counterPrefix.length)}, ${adminMessages.people.erasedRecords(Number(n))}`,
        })
    })

  return {
    /** Continues where an interrupted run has ended. Nodes that run at the same time wait for each other's records. */
    async eraseExpired(): Promise<void> {
      const failures: unknown[] = []
      for (const kind of peopleKinds) {
        const days = periods[kind]
        if (days === null) continue
        const before = sql`(${now} - make_interval(days => ${days}))`
        const officialCity = kind === 'assinaturas' ? await openOfficialCities() : () => ''
        for (const scope of await scopesOf(kind, before)) {
          if (signal.aborted) break
          // One campaign that fails does not keep the data of the others.
          await eraseScope(scope, officialCity).catch((error: unknown) => failures.push(error))
        }
      }
      await recordErased()
      if (failures.length > 0) throw failures[0]
    },
  }
}

const tableOf = (kind: PeopleKind) => sql.identifier(peopleDescriptors[kind].table)

const mailboxesOf = (records: Pick<ExpiredRecord, 'canonicalEmail'>[]) => [
  ...new Set(records.map(({ canonicalEmail }) => mailboxOf(canonicalEmail))),
]

const hasEnded = (before: SQL) => sql`status in ('closed', 'won') and "endedAt" <= ${before}`

/** What somebody does with a record prolongs its period. */
function formScope(kind: FormKind, before: SQL): Scope {
  return {
    kind,
    isExpired: sql`"createdAt" <= ${before}
      and not exists (select from people_workflow w where w.kind = ${kind} and w.id = p.id and w."updatedAt" > ${before})
      and not exists (
        select from people_notes note where note.kind = ${kind} and note."recordId" = p.id and note."createdAt" > ${before})`,
    order: sql`"createdAt", id`,
    position: sql`"createdAt"::text || '|' || id`,
    after(position) {
      const [createdAt, id] = position.split('|')
      return sql`("createdAt", id) > (${createdAt}::timestamptz, ${id}::uuid)`
    },
    quotaKey: quotaKeyOfForm(peopleDescriptors[kind].emailTemplate),
  }
}

/** A list that was imported after the end of the campaign is kept for a whole period. */
function campaignScope(slug: string, before: SQL): Scope {
  return {
    kind: 'assinaturas',
    isExpired: sql`campanha = ${slug} and "createdAt" <= ${before}`,
    order: sql`"canonicalEmail"`,
    position: sql`"canonicalEmail"`,
    after: (position) => sql`"canonicalEmail" > ${position}`,
    quotaKey: slug,
    campaign: { slug, endedBefore: before },
  }
}

/**
 * False if the campaign was reopened or a list is being imported into it. Neither can begin until the end of the
 * transaction.
 */
async function lockEnded(tx: Orm, { slug, endedBefore }: NonNullable<Scope['campaign']>): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select from campaigns where slug = ${slug} and ${hasEnded(endedBefore)} for share`,
  )
  if (rows.length === 0) return false
  // After the lock, to see an import that began before it.
  const { rows: running } = await tx.execute(
    sql`select from imports where status = 'running' and campanha = ${slug} limit 1`,
  )
  return running.length === 0
}

type OfficialCity = (state: string, city: string) => string

async function openOfficialCities(): Promise<OfficialCity> {
  const names = await officialCities()
  return (state, city) => names.get(cityKey(state, foldText(city))) ?? otherCities
}
