// Signing a petition and reading its counter.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { checkbox, email, honeypot, line, optionalLine, stateCode, tidied, version } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { consentVersion } from '#contract/privacy.ts'

const { fields } = messages

const phone = z.string(fields.whatsappCurto).check(
  tidied(
    (value) => value.trim(),
    (value) => {
      if (value.length > 25) return fields.whatsappLongo
      if (!/^[\d\s()+-]*$/.test(value)) return fields.whatsappFormato
      return value.replace(/\D/g, '').length < 8 ? fields.whatsappCurto : undefined
    },
  ),
)

export const signatureSchema = z.object({
  nome: line({ min: 3, max: 200, short: fields.nome, long: fields.nomeLongo }),
  email: email(),
  whatsapp: phone,
  cidade: line({ min: 2, max: 120, short: fields.cidade, long: fields.cidadeLonga }),
  estado: stateCode(),
  redesSociais: optionalLine({ max: 500, long: fields.redesSociaisLongo }),
  aceitaNovidades: checkbox(),
  /** Of the manifesto that the page showed. */
  versaoManifesto: version(),
  versaoConsentimento: consentVersion(),
  honeypot: honeypot(),
})

export type Signature = z.output<typeof signatureSchema>

export const signedReply = z.object({ success: z.boolean(), message: z.string() })
export const countReply = z.object({ success: z.boolean(), count: z.number() })

/** The interest-rate petition of `/peticao`, and the number its counter shows until the server has answered. */
export const interestRatePetition = { slug: 'juros', baseCount: 18245 } as const

export const signPetition = endpoint({
  method: 'POST',
  path: '/api/peticoes',
  access: 'anyone',
  body: signatureSchema,
  reply: signedReply,
})

export const countPetition = endpoint({
  method: 'GET',
  path: '/api/peticoes/count',
  access: 'anyone',
  reply: countReply,
})

/** The petition to remove the deputy that the site settings name. */
export const deputyCampaign = (deputySlug: string) => `cassacao-${deputySlug}`

export const signDeputyPetition = endpoint({
  method: 'POST',
  path: '/api/abaixo-assinado',
  access: 'anyone',
  body: signatureSchema,
  reply: signedReply,
})

export const countDeputyPetition = endpoint({
  method: 'GET',
  path: '/api/abaixo-assinado/count',
  access: 'anyone',
  reply: countReply,
})
