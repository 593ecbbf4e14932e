// Links of e-mails: each opens a page with one button, and only the button acts.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'

export const emailLinkPaths = {
  confirmar: '/confirmar/:token',
  remover: '/nao-fui-eu/:token',
  descadastrar: '/descadastrar/:token',
} as const

/** What a link is for; a link for one deed is worth nothing for another. */
export type EmailLinkAction = keyof typeof emailLinkPaths

const params = z.object({ token: z.string().check(z.regex(/^[\w-]{22}$/, messages.emailLinks.expired)) })
const reply = z.object({ success: z.boolean(), message: z.string() })

function emailLink(action: EmailLinkAction) {
  return endpoint({
    method: 'POST',
    path: `/api${emailLinkPaths[action]}`,
    access: 'link',
    status: 200,
    params,
    reply,
  })
}

export const confirmSignature = emailLink('confirmar')
export const removeSignature = emailLink('remover')
export const unsubscribe = emailLink('descadastrar')
