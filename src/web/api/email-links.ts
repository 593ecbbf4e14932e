import { type EmailLinkAction, readEmailLink } from '#contract/email-links.ts'
import type { Query } from '#web/api/store.ts'

const endpoints = {
  confirmar: readEmailLink('confirmar'),
  remover: readEmailLink('remover'),
  descadastrar: readEmailLink('descadastrar'),
}

export const emailLink = (action: EmailLinkAction, token: string): Query<(typeof endpoints)[EmailLinkAction]> => ({
  endpoint: endpoints[action],
  params: { token },
  // The page shows the state at the time when it was opened.
  staleMs: Number.POSITIVE_INFINITY,
})
