// Links in e-mails. A link opens a page with a button, and only the button changes something.
import * as z from 'zod/mini'
import { countingModes, sharedCampaignSchema } from '#contract/campaigns.ts'
import { endpoint } from '#contract/endpoint.ts'
import type { RefusalCode } from '#contract/refusals.ts'

/** Separate from messages.ts, which every page loads. */
export const emailLinkMessages = {
  confirmed: 'Assinatura confirmada. Obrigado!',
  removed: 'Assinatura apagada.',
  everyNews: 'Pronto: você recebe todas as novidades.',
  withoutCampaign: 'Pronto: você não recebe mais novidades desta campanha.',
  unchanged: 'Pronto: nada mudou.',
  noCampaign: 'Este link não é de uma campanha. Escolha outra opção.',
  unsubscribed: 'Pronto: você não recebe mais novidades nem lembretes.',
  neverAgain: 'Pronto: não escrevemos mais para este endereço.',
  returned: 'Pronto: você volta a receber novidades.',
  formConfirmed: 'Pronto: e-mail confirmado. Agora você recebe novidades.',
  subscribed: 'Pronto: agora você recebe novidades.',
} as const

export type EmailLinkProblem = Extract<RefusalCode, `link-${string}`>

/** Why a link cannot be used. */
export const emailLinkProblems: Record<EmailLinkProblem, string> = {
  'link-unknown': 'Link não encontrado.',
  'link-expired': 'Este link não vale mais.',
  'link-already-subscribed': 'Você já recebe novidades.',
  'link-already-returned': 'Você já voltou a receber novidades.',
  'link-already-confirmed': 'Esta assinatura já está confirmada.',
  'link-already-removed': 'Esta assinatura já foi apagada.',
  'link-already-silent': 'Já não escrevemos para este endereço.',
}

export const emailLinkPaths = {
  confirmar: '/confirmar/:token',
  remover: '/nao-fui-eu/:token',
  descadastrar: '/descadastrar/:token',
} as const

/** A link is valid for one action only. */
export type EmailLinkAction = keyof typeof emailLinkPaths

const link = {
  access: 'link',
  params: z.object({ token: z.string().check(z.regex(/^[\w-]{22}$/, emailLinkProblems['link-unknown'])) }),
  paramsCode: 'link-unknown',
} as const
const reply = z.object({ success: z.boolean(), message: z.string() })

/**
 * What a mailbox gets. `todas`: all news. `sem-campanha`: not those of the campaign of the link. `nenhuma`: no news and no
 * reminders. `nunca`: no e-mail at all, permanently.
 */
export const newsChoices = ['todas', 'sem-campanha', 'nenhuma', 'nunca'] as const
export type NewsChoice = (typeof newsChoices)[number]
/** Offered to mailboxes that opted out of other campaigns: `todas` would include those again. */
export const keepChoice = 'manter'

/** The form field of the choice. Without it, or with an unknown value, all news and reminders are stopped. */
export const choiceField = 'escolha'
const choice = z.catch(z.object({ escolha: z.optional(z.string()) }), {})

const emailLink = (action: EmailLinkAction) =>
  ({ ...link, method: 'POST', path: `/api${emailLinkPaths[action]}`, status: 200, reply }) as const

export const confirmSignature = endpoint(emailLink('confirmar'))
export const removeSignature = endpoint(emailLink('remover'))
/** Accepts any body: mail programs choose the body of their one-click POST (RFC 8058). */
export const unsubscribe = endpoint({ ...emailLink('descadastrar'), body: choice })

const newsPreferences = z.object({
  escolha: z.enum(newsChoices),
  /** Title of the campaign of the link. */
  campanha: z.nullable(z.string()),
  /** Titles of other campaigns whose news the mailbox does not want. */
  outras: z.array(z.string()),
  /** Choosing news also accepts them in the record of the link, and confirms its address. */
  confirma: z.boolean(),
  /** The address of the record gets no e-mail: a mail server rejected it, or somebody complained. */
  suspenso: z.boolean(),
})
export type NewsPreferences = z.output<typeof newsPreferences>

const linkState = z.object({
  success: z.boolean(),
  /** The signed petition; null for other forms and for a deleted signature. */
  // Not z.extend: it would add half a kilobyte to the scripts of petitions.
  campanha: z.nullable(z.object({ ...sharedCampaignSchema.shape, countingMode: z.enum(countingModes) })),
  /**
   * What the link confirms. `assinatura`: a signature. `novidades`: a repeated signature and its news checkbox.
   * `cadastro`: the address of another form whose sender wants news. `volta`: that the sender wants news again.
   */
  tipo: z.enum(['assinatura', 'novidades', 'cadastro', 'volta']),
  /** True when the button has nothing left to do. */
  usado: z.boolean(),
  /** What the mailbox has already unsubscribed from. */
  saiu: z.nullable(z.enum(['novidades', 'tudo'])),
  /** The choices of the mailbox. Only for `descadastrar`. */
  preferencias: z.nullable(newsPreferences),
})

export type EmailLinkState = z.output<typeof linkState>

/** Data of the link's page, before its button is pressed. */
export const readEmailLink = (action: EmailLinkAction) =>
  endpoint({ ...link, method: 'GET', path: `/api${emailLinkPaths[action]}`, reply: linkState })
