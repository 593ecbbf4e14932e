// Deliveries and the interface of delivery handlers.
import type { OutboxKind } from '#server/db/outbox.ts'
import type { Payload } from '#server/outbox/queue/kinds.ts'

/** A row of the outbox that one worker has claimed. */
export type Delivery<K extends string = string> = K extends unknown
  ? {
      id: number
      kind: K
      payload: Payload<K>
      /** The number of failed attempts. */
      attempts: number
      createdAt: Date
    }
  : never

/** Delivers rows of some kinds to one destination. */
export interface DeliveryHandler<K extends string = string> {
  /** The name of the destination. All nodes use the same name. */
  name: string
  kinds: readonly K[]
  /** The kind that is claimed before the others, except rows that have failed before. */
  first?: K
  /** The number of calls of `perform` that a node runs at the same time. */
  atOnce: number
  /** The maximum number of deliveries in one call. */
  batch?: number
  /** The maximum number of deliveries that all nodes together start in a minute. */
  perMinute?: number
  /** The rate limit is shared with this destination. Default: its own. */
  rateName?: string
  /** Nothing is claimed while a row of these kinds is due. Only with a rate limit. */
  yieldsTo?: readonly OutboxKind[]
  /**
   * Deliveries that it does not settle are done when it resolves, and failed when it rejects. It may receive the same
   * delivery again, because a worker can be killed between the delivery and the record of it. Payloads match the
   * schemas of their kinds.
   */
  perform(deliveries: Delivery<K>[], settle: Settle): Promise<void>
  /** Called when nothing is due: creates deliveries from rows of `refillKinds`. Returns whether it created any. */
  refill?(): Promise<boolean>
  refillKinds?: readonly OutboxKind[]
  /** Called when the node stops: ends all running deliveries at once. */
  abort?(): void
}

export interface LaterOptions {
  dueAt?: Date
  /** Administrators read it, so it is in Portuguese. */
  reason?: string
}

/** Settles some deliveries earlier than the rest of the batch, or with another result. */
export interface Settle {
  done(deliveries: Delivery[]): Promise<void>
  failed(deliveries: Delivery[], error: unknown): Promise<void>
  /** For deliveries that were not started. They return to the queue, by default after everything else that is due. */
  later(deliveries: Delivery[], options?: LaterOptions): Promise<void>
}
