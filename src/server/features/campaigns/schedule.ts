// Publishes and closes campaigns at their scheduled time. Every node checks; the row lock of the update makes it once.
import { adminMessages } from '#contract/admin/messages.ts'
import type { Log } from '#server/core/log.ts'
import { createPeriodicTask } from '#server/core/periodic-task.ts'
import type { Database } from '#server/db/database.ts'

const { auditLog: texts } = adminMessages

interface ScheduleDeps {
  database: Database
  log: Log
  now(): Date
  periodMs: number
  /** Called after the commit. */
  onChanged(): void
}

/** A node that waited for the row lock finds the status changed, and writes neither the row nor the audit entry. */
const statementFor = (change: { from: string; set: string; time: string }) => `
  with due as (
    update campaigns set ${change.set}, ${change.time} = null
    where status = '${change.from}' and ${change.time} <= $1 returning slug),
  logged as (
    insert into admin_actions (username, action, target, changes)
    select $2, $3, slug, '[]'::jsonb from due)
  select slug from due`

const publishDue = statementFor({ from: 'draft', set: `status = 'live', "isActive" = true`, time: '"publishAt"' })
const closeDue = statementFor({ from: 'live', set: `status = 'closed'`, time: '"closeAt"' })

export type CampaignSchedule = ReturnType<typeof createCampaignSchedule>

export function createCampaignSchedule({ database, log, now, periodMs, onChanged }: ScheduleDeps) {
  return createPeriodicTask({
    periodMs,
    onFailure: (error) => log.warn({ err: error }, 'schedule of campaigns not applied'),
    async work() {
      const time = now()
      const published = await database.query<{ slug: string }>('publish-due', publishDue, [
        time,
        texts.schedule,
        texts.publishedBySchedule,
      ])
      const closed = await database.query<{ slug: string }>('close-due', closeDue, [
        time,
        texts.schedule,
        texts.closedBySchedule,
      ])
      if (published.length + closed.length > 0) onChanged()
    },
  })
}
