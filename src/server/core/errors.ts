import { campaignClosed, httpMessages, messages } from '#contract/messages.ts'
import type { RefusalCode, RefusalKind } from '#contract/refusals.ts'

interface RefusalDetails {
  /** Default: the kind. */
  code?: RefusalCode | undefined
  errors?: Record<string, string>
  /** The stored version, when another request saved first. Sent to the client unchanged: no private data. */
  current?: unknown
}

/** Error of domain code. Only http/error-handler.ts knows status codes. */
export class AppError extends Error {
  readonly refusal: RefusalKind
  readonly code: RefusalCode
  readonly errors: Record<string, string> | undefined
  readonly current: unknown

  constructor(refusal: RefusalKind, message: string, { code = refusal, errors, current }: RefusalDetails = {}) {
    super(message)
    this.name = 'AppError'
    this.refusal = refusal
    this.code = code
    this.errors = errors
    this.current = current
  }
}

export const campaignNotFound = () =>
  new AppError('not-found', messages.campaign.notFound, { code: 'campaign-not-found' })

/** Created once: with a stack trace each, rejecting would cost as much as storing. */
export const signingClosed = new AppError('gone', campaignClosed, { code: 'campaign-closed' })
export const overloaded = new AppError('unavailable', httpMessages.unavailable)
