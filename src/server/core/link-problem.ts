import { type EmailLinkProblem, emailLinkProblems } from '#contract/email-links.ts'
import { AppError } from '#server/core/errors.ts'

export function linkProblem(code: EmailLinkProblem): AppError {
  return new AppError(code === 'link-unknown' ? 'not-found' : 'gone', emailLinkProblems[code], { code })
}
