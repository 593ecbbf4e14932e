// Stores form records once per request. A record and its delivery are committed together or not at all.
import { type SQLWrapper, sql } from 'drizzle-orm'
import { httpMessages } from '#contract/messages.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { retry } from '#server/core/retry.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { enqueueSql, type OutboxKind } from '#server/db/outbox.ts'
import type { FormOutboxKind } from '#server/db/people-descriptors.ts'
import { type RequestKey, wasRemoved } from '#server/db/removed-requests.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'

const maxRetryMs = 3_000
// Signing uses the same connections: a flood of forms must not build a long queue before it.
const maxInFlight = 500

/** Builds the insert. It must not be awaited: awaiting a Drizzle query executes it. */
type Insertion = (orm: Database['orm']) => SQLWrapper

interface SubmissionDeps {
  database: Database
  metrics: Metrics
  /** The rate limit by mailbox. */
  admitMailbox(canonicalEmail: string): boolean
  /** Called after each record: its delivery is in the outbox. */
  onQueued(): void
}

export type Submissions = ReturnType<typeof createSubmissions>

export function createSubmissions({ database, metrics, admitMailbox, onQueued }: SubmissionDeps) {
  let inFlight = 0

  async function store(delivery: OutboxKind, sent: RequestKey, insertion: Insertion): Promise<void> {
    if (await wasRemoved(database, sent)) return
    // No conflict target: if a commit succeeded but its reply was lost, the next attempt also conflicts with its own
    // primary key.
    // A retry inserts nothing, so its commit would not wait for the synchronous standby, which may not have the first
    // insert yet. The message in the write-ahead log makes it wait.
    await database.orm.execute(sql`
      with created as (${insertion(database.orm).getSQL()} on conflict do nothing returning id),
      queued as (${sql.raw(enqueueSql(delivery, 'jsonb_build_array(id)', { clauses: 'from created' }))})
      select pg_logical_emit_message(true, 'repetida', '') where not exists (select from created)`)
  }

  return {
    /** Resolves once the record is committed. A retry of the same request stores nothing, and also resolves. */
    async record(delivery: FormOutboxKind, sent: RequestKey, insertion: Insertion): Promise<void> {
      if (!admitMailbox(sent.canonicalEmail)) {
        metrics.shed('mailbox')
        throw new AppError('too-many', httpMessages.tooMany)
      }
      if (inFlight >= maxInFlight) {
        metrics.shed('forms')
        throw new AppError('unavailable', httpMessages.unavailable)
      }
      inFlight += 1
      try {
        await retry(() => store(delivery, sent, insertion), { timeoutMs: maxRetryMs, isTransient })
        onQueued()
      } finally {
        inFlight -= 1
      }
    },
  }
}

/** Columns that every form record has in addition to its own fields. */
export function newSubmission(email: string, requestId: string) {
  return { id: uuidV7(), requestId, canonicalEmail: canonicalizeEmail(email) }
}
