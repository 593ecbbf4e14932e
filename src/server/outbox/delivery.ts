// What is delivered, by which courier, and the ways in which a delivery fails.

/** Something to be done outside of the database for a record. Only the worker that claimed it holds it. */
export interface Delivery {
  id: number
  tipo: string
  dados: unknown
  /** How often it has failed. */
  tentativas: number
  createdAt: Date
}

/** One kind of work, towards one destination. */
export interface Courier {
  /** The destination's name, shared by all nodes. */
  name: string
  /** The kinds of rows it takes. */
  tipos: readonly string[]
  /** The kind that is claimed before the others, unless it has failed before. */
  first?: string
  /** How many calls of `perform` a node has under way at once. */
  atOnce: number
  /** How many deliveries it is given in one call. */
  batch?: number
  /** How many deliveries all nodes together begin in a minute. */
  perMinute?: number
  /**
   * What it has not settled by itself is done when this resolves, and failed when it rejects.
   * It may be asked for the same delivery again: a worker can end between the delivery and its record.
   */
  perform(deliveries: Delivery[], settle: Settle): Promise<void>
  /** Asked when nothing is due: makes deliveries out of what waits in a shorter form, and says whether it made any. */
  refill?(): Promise<boolean>
  /** The node leaves: whatever is under way ends now. */
  abort?(): void
}

/** For couriers that end some of their deliveries before the others, or otherwise. */
export interface Settle {
  done(deliveries: Delivery[]): Promise<void>
  failed(deliveries: Delivery[], error: unknown): Promise<void>
  /** Not begun: they go back into the queue, behind what else is due. */
  later(deliveries: Delivery[]): Promise<void>
}

/**
 * again: this delivery may succeed later; it is counted, and parked after some tries.
 * never: it cannot succeed as it is; it is parked at once.
 * refused: whom it is for does not take it, now or ever; it is removed, since nobody can do anything about it.
 * away: the destination does not take any delivery now; nothing is counted, and the destination is left alone for a while.
 */
export type FailureKind = 'again' | 'never' | 'refused' | 'away'

/** The reason is read by administrators: in Portuguese, and never in the log. */
export class DeliveryFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, reason: string) {
    super(reason)
    this.name = 'DeliveryFailure'
    this.kind = kind
  }
}
