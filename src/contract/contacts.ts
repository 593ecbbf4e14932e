// Volunteer sign-up.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { checkbox, email, honeypot, line } from '#contract/fields.ts'
import { brazilianPhone, choices, longerFormMessages } from '#contract/longer-form-fields.ts'
import { messages } from '#contract/messages.ts'
import { origin } from '#contract/origin.ts'
import { consentVersion } from '#contract/privacy.ts'

const fields = { ...messages.fields, ...longerFormMessages }

export const volunteerMessages = {
  signedUp: 'Cadastro realizado com sucesso!',
  failed: 'Erro ao enviar formulário. Tente novamente.',
} as const

export const volunteerTasks = {
  spread: 'QUERO ESPALHAR CONTEÚDO NAS REDES',
  create: 'QUERO CRIAR CONTEÚDO',
} as const

/** Volunteers who create content have their own group. */
export const createsContent = (tasks: unknown) => [tasks].flat().includes(volunteerTasks.create)

// The field order is the order of the error messages.
export const contactSchema = z.object({
  name: line({ min: 3, max: 200, short: fields.nome, long: fields.nomeLongo }),
  email: email(),
  whatsapp: brazilianPhone({ short: fields.whatsappVoluntario, long: fields.whatsappMaximo }),
  tasks: choices(Object.values(volunteerTasks), fields.tarefa),
  aceitaNovidades: checkbox(),
  versaoConsentimento: consentVersion(),
  origem: origin(),
  honeypot: honeypot(),
})

export type Contact = z.output<typeof contactSchema>

export const signUp = endpoint({
  method: 'POST',
  path: '/api/contacts',
  access: 'anyone',
  body: contactSchema,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
