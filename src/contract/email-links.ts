// Links of e-mails: each opens a page with a button, and only the button acts.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

/** Not in messages.ts, which every page loads. */
export const emailLinkMessages = {
  confirmed: 'Assinatura confirmada. Obrigado!',
  removed: 'Assinatura apagada.',
  unsubscribed: 'Pronto: você não recebe mais novidades nem lembretes.',
  neverAgain: 'Pronto: não escrevemos mais para este endereço.',
  unknown: 'Link não encontrado.',
  expired: 'Este link não vale mais.',
  returned: 'Pronto: você volta a receber novidades.',
  subscribed: 'Pronto: agora você recebe novidades.',
  alreadySubscribed: 'Você já recebe novidades.',
  alreadyReturned: 'Você já voltou a receber novidades.',
  alreadyConfirmed: 'Esta assinatura já está confirmada.',
  alreadyRemoved: 'Esta assinatura já foi apagada.',
  alreadySilent: 'Já não escrevemos para este endereço.',
} as const

export const emailLinkPaths = {
  confirmar: '/confirmar/:token',
  remover: '/nao-fui-eu/:token',
  descadastrar: '/descadastrar/:token',
} as const

/** What a link is for; a link for one deed is worth nothing for another. */
export type EmailLinkAction = keyof typeof emailLinkPaths

const params = z.object({ token: z.string().check(z.regex(/^[\w-]{22}$/, emailLinkMessages.unknown)) })
const reply = z.object({ success: z.boolean(), message: z.string() })

/** What "Nunca mais me escrevam" sends; without it, unsubscribing stops news and reminders alone. */
export const neverAgainField = { name: 'escolha', value: 'nunca' } as const
const choice = z.catch(z.object({ escolha: z.optional(z.string()) }), {})

const emailLink = (action: EmailLinkAction) =>
  ({ method: 'POST', path: `/api${emailLinkPaths[action]}`, access: 'link', status: 200, params, reply }) as const

export const confirmSignature = endpoint(emailLink('confirmar'))
export const removeSignature = endpoint(emailLink('remover'))
/** Mail programs send whatever they like with their one POST (RFC 8058). */
export const unsubscribe = endpoint({ ...emailLink('descadastrar'), body: choice })

const linkState = z.object({
  success: z.boolean(),
  /** The petition that was signed; none for other forms, and when the signature is gone. */
  campanha: z.nullable(z.object({ titulo: z.string(), slug: z.string() })),
  /**
   * What the link confirms: a signature; the news box of a repeated signature, and the signature with it; that a form's news are
   * wanted again.
   */
  tipo: z.enum(['assinatura', 'novidades', 'cadastro']),
  /** There is nothing left that its button could do. */
  usado: z.boolean(),
  /** What the mailbox has left already. */
  saiu: z.nullable(z.enum(['novidades', 'tudo'])),
})

/** What the page of a link shows before its button is pressed. */
export const readEmailLink = (action: EmailLinkAction) =>
  endpoint({ method: 'GET', path: `/api${emailLinkPaths[action]}`, access: 'link', params, reply: linkState })
