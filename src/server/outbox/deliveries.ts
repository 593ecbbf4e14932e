// Everything that is delivered after an answer, from one place: the worker of this node, and what administrators see of it.
import type { LocalEmail, LocalEmailContent, LocalMailbox } from '#server/adapters/local-mail.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'
import { forgetOld } from '#server/db/retention.ts'
import type { Courier } from '#server/outbox/delivery.ts'
import { createExpansion } from '#server/outbox/expand.ts'
import { createOverview, type Overview } from '#server/outbox/overview.ts'
import { createQueue, type QueueOptions } from '#server/outbox/queue.ts'
import { createRunner } from '#server/outbox/runner.ts'
import { startWorker, type Worker, type WorkerParts } from '#server/outbox/worker.ts'

export interface Deliveries extends Overview {
  /** What was written into the data folder for want of an SMTP server; the latest first. */
  localEmails(most?: number): Promise<LocalEmail[]>
  localEmail(id: string): Promise<LocalEmailContent | undefined>
  forgetLocalEmails(address: string): Promise<void>
  /** Something was left in the queue: this node takes it up at once. */
  wake(): void
  start(): void
  /** Finishes what is under way or hands it back. */
  stop(): Promise<void>
}

export interface DeliveryParts {
  database: Database
  log: Log
  metrics: Metrics
  rush: Rush
  reminders: boolean
  /** RETENTION_DAYS. */
  retentionDays?: number | undefined
  couriers: Courier[]
  mailbox: LocalMailbox
  options?: DeliveryOptions
}

export interface DeliveryOptions extends QueueOptions, Pick<WorkerParts, 'pollMs' | 'renewMs' | 'stopPatienceMs'> {}

export function createDeliveries({
  database,
  log,
  metrics,
  rush,
  reminders,
  retentionDays,
  couriers,
  mailbox,
  options = {},
}: DeliveryParts): Deliveries {
  const overview = createOverview(database)
  const queue = createQueue(database, crypto.randomUUID(), options)
  const expansion = createExpansion(database, { reminders })
  let worker: Worker | undefined
  const wake = () => worker?.wake()

  return {
    ...overview,
    localEmails: mailbox.list,
    localEmail: mailbox.read,
    forgetLocalEmails: mailbox.forget,
    async resend(id, audit) {
      const resent = await overview.resend(id, audit)
      wake()
      return resent
    },
    async resendAll(audit) {
      const resent = await overview.resendAll(audit)
      wake()
      return resent
    },
    wake,
    start() {
      const runners = couriers.map((courier) => createRunner(courier, { queue, log, metrics, rush }))
      worker ??= startWorker({
        queue,
        expansion,
        runners,
        tidy: () => forgetOld(database, retentionDays),
        log,
        rush,
        ...options,
      })
    },
    async stop() {
      await worker?.stop()
      worker = undefined
    },
  }
}
