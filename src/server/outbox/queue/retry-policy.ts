// When a failed delivery is tried again, by the kind of its failure.
import type { MailFailureKind } from '#server/adapters/mail.ts'
import { isTransient } from '#server/db/database.ts'

/**
 * again: the delivery may succeed later. The attempt is counted; after some attempts it becomes a dead letter.
 * never: the delivery cannot succeed as it is. It becomes a dead letter at once.
 * refused: the recipient will never accept it. It is deleted, because administrators can do nothing about it.
 * away: the destination accepts nothing now. No attempt is counted, and the destination gets a pause.
 */
export type FailureKind = 'again' | 'never' | 'refused' | 'away'

/** The failures of mailers. */
export const mailFailureKinds: Record<MailFailureKind, FailureKind> = {
  address: 'refused',
  message: 'never',
  later: 'again',
  away: 'away',
}

/** Administrators read the reason, so it is in Portuguese. It must not be logged. */
export class DeliveryFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, reason: string) {
    super(reason)
    this.name = 'DeliveryFailure'
    this.kind = kind
  }
}

/** Not the message, because it may contain personal data. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return (error as NodeJS.ErrnoException).code ?? error.name
}

export function explainFailure(error: unknown): { kind: FailureKind; reason: string } {
  if (error instanceof DeliveryFailure) return { kind: error.kind, reason: error.message }
  if (isTransient(error)) return { kind: 'away', reason: 'O banco de dados não respondeu.' }
  return { kind: 'again', reason: `Falha inesperada: ${codeOf(error)}` }
}

/** Random, so that deliveries that failed together are not retried together. */
export const withJitter = (ms: number) => ms * (0.75 + Math.random() / 2)

/** The time until the next attempt: each one is three times as long as the one before. */
export const retryDelayMs = (firstMs: number, attempts: number) => withJitter(firstMs * 3 ** attempts)

const minPauseMs = 1_000
const maxPauseMs = 60_000

/** The pause after a destination was unreachable: each one is twice as long as the one before. */
export const nextPauseMs = (lastMs: number) => Math.min(Math.max(lastMs * 2, minPauseMs), maxPauseMs)
