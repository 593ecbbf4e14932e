// Sign a petition and read its count.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import {
  checkbox,
  email,
  honeypot,
  line,
  normalizeAndCheck,
  optionalLine,
  stateCode,
  version,
} from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { origin } from '#contract/origin.ts'
import { consentVersion } from '#contract/privacy.ts'

const { fields } = messages

const phone = z.string(fields.whatsappCurto).check(
  normalizeAndCheck(
    (value) => value.trim(),
    (value) => {
      if (value.length > 25) return fields.whatsappLongo
      if (!/^[\d\s()+-]*$/.test(value)) return fields.whatsappFormato
      return value.replace(/\D/g, '').length < 8 ? fields.whatsappCurto : undefined
    },
    { minimum: 8, maximum: 25 },
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
  /** Version of the manifesto on the page. */
  versaoManifesto: version(),
  versaoConsentimento: consentVersion(),
  origem: origin(),
  honeypot: honeypot(),
})

export type Signature = z.output<typeof signatureSchema>

export const signedReply = z.object({ success: z.boolean(), message: z.string() })
export const countReply = z.object({
  success: z.boolean(),
  count: z.number(),
  /** Signatures of this day, in Brasília time. A few seconds behind the count, and absent until it was read once. */
  hoje: z.optional(z.number()),
})

/** The interest-rate petition at `/peticao`. Its counter shows `baseCount` until the server replies. */
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

/** Slug of the petition against the deputy in the site settings. */
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
