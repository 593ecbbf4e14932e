// How domain code says no. Status codes belong to http/error-handler alone.
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'not-found'
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
