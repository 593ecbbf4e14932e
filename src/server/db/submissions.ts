// Records that people send through forms, once per request: the record and its delivery are committed together or not at all.
import { type SQLWrapper, sql } from 'drizzle-orm'
import { httpMessages } from '#contract/messages.ts'
import { canonicalEmail } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import type { Limits } from '#server/core/limits.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { tryAgain } from '#server/core/try-again.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { type SentRecord, wasRemoved } from '#server/db/removed-requests.ts'
import { rowId } from '#server/db/row-id.ts'
import { outbox } from '#server/db/schema.ts'

const patienceMs = 3_000
// Signing uses the same connections: a flood of forms must not stand in a long line before it.
const mostAtOnce = 500

export interface Submissions {
  /** Resolves once the record is committed. A retry of the same request stores nothing more, and resolves in the same way. */
  record(delivery: 'voluntario' | 'influenciador' | 'lider', sent: SentRecord, insertion: Insertion): Promise<void>
}

/** Says what to insert. It is not awaited, or it would run by itself. */
type Insertion = (orm: Database['orm']) => SQLWrapper

export interface SubmissionDeps {
  database: Database
  metrics: Metrics
  limits: Limits
  /** Told after each record that a delivery waits. */
  onQueued(): void
}

export function createSubmissions({ database, metrics, limits, onQueued }: SubmissionDeps): Submissions {
  let underWay = 0

  async function store(delivery: string, sent: SentRecord, insertion: Insertion): Promise<void> {
    if (await wasRemoved(database, sent)) return
    // No conflict target: when a commit succeeded but its answer was lost, the next try meets its own primary key too.
    // A retry stores nothing; the mark in PostgreSQL's log makes it wait for the synchronous standby, which may not have what it retries.
    await database.orm.execute(sql`
      with created as (${insertion(database.orm).getSQL()} on conflict do nothing returning id),
      queued as (insert into ${outbox} (tipo, dados) select ${delivery}, jsonb_build_array(id) from created)
      select pg_logical_emit_message(true, 'repetida', '') where not exists (select from created)`)
  }

  return {
    async record(delivery, sent, insertion) {
      if (!limits.admitMailbox(sent.emailCanonico)) {
        metrics.shed('mailbox')
        throw new AppError('too-many', httpMessages.tooMany)
      }
      if (underWay >= mostAtOnce) {
        metrics.shed('forms')
        throw new AppError('unavailable', httpMessages.unavailable)
      }
      underWay += 1
      try {
        await tryAgain(() => store(delivery, sent, insertion), { patienceMs, isTransient })
        onQueued()
      } finally {
        underWay -= 1
      }
    },
  }
}

/** What every record of a form carries beside its fields. */
export function newSubmission(email: string, requestId: string) {
  return { id: rowId(), requestId, emailCanonico: canonicalEmail(email) }
}
