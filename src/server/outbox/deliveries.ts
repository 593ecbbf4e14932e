// Interface of the outbox to the rest of the server: the worker of this node, and what administrators see and do.
import type { LocalEmail, LocalEmailContent, LocalMailbox } from '#server/adapters/local-mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import type { Database } from '#server/db/database.ts'
import type { DeliveryHandler } from '#server/outbox/queue/delivery.ts'
import { createRunner } from '#server/outbox/queue/delivery-runner.ts'
import { createFanOut } from '#server/outbox/queue/fan-out.ts'
import { createOverview, type Overview } from '#server/outbox/queue/overview.ts'
import { createQueue, type QueueOptions } from '#server/outbox/queue/queue.ts'
import { startWorker, type Worker, type WorkerParts } from '#server/outbox/queue/worker.ts'

export interface Deliveries extends Overview {
  /** E-mails in the data folder, where they are written if there is no SMTP server. The latest first. */
  localEmails(limit?: number): Promise<LocalEmail[]>
  localEmail(id: string): Promise<LocalEmailContent | undefined>
  forgetLocalEmails(address: string): Promise<void>
  /** To be called after rows were queued: this node processes them at once. */
  wake(): void
  start(): void
  /** Finishes running deliveries or returns them to the queue. */
  stop(): Promise<void>
}

interface DeliveryParts {
  database: Database
  log: Log
  metrics: Metrics
  throttle: BackgroundThrottle
  reminders: () => Promise<boolean>
  handlers: DeliveryHandler[]
  mailbox: LocalMailbox
  options?: DeliveryOptions
}

export interface DeliveryOptions extends QueueOptions, Pick<WorkerParts, 'pollMs' | 'renewMs' | 'stopTimeoutMs'> {}

export function createDeliveries({
  database,
  log,
  metrics,
  throttle,
  reminders,
  handlers,
  mailbox,
  options = {},
}: DeliveryParts): Deliveries {
  const overview = createOverview(database)
  const queue = createQueue(database, crypto.randomUUID(), options)
  const fanOut = createFanOut(database, { reminders })
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
      const runners = handlers.map((handler) => createRunner(handler, { queue, log, metrics, throttle }))
      worker ??= startWorker({
        queue,
        fanOut,
        runners,
        log,
        throttle,
        ...options,
      })
    },
    async stop() {
      await worker?.stop()
      worker = undefined
    },
  }
}
