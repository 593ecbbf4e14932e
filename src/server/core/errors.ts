// How domain code says no. Status codes belong to http/error-handler alone.
import { httpMessages } from '#contract/messages.ts'

export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'conflict'
  | 'too-large'
  | 'unsupported'
  | 'too-many'
  | 'unavailable'

export class AppError extends Error {
  readonly refusal: RefusalKind
  readonly errors: Record<string, string> | undefined
  /** What is stored, for who lost against somebody quicker. It leaves as it is: nothing private belongs here. */
  readonly current: unknown

  constructor(refusal: RefusalKind, sentence: string, errors?: Record<string, string>, current?: unknown) {
    super(sentence)
    this.name = 'AppError'
    this.refusal = refusal
    this.errors = errors
    this.current = current
  }
}

/** Made once: with a stack for each, refusing would cost as much as storing. */
export const lineIsFull = new AppError('unavailable', httpMessages.unavailable)
