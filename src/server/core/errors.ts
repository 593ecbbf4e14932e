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

  constructor(refusal: RefusalKind, sentence: string, errors?: Record<string, string>) {
    super(sentence)
    this.name = 'AppError'
    this.refusal = refusal
    this.errors = errors
  }
}
