// Corrections of a person's own records. Separate from own-data.ts, because it needs the rules of all forms.
import * as z from 'zod/mini'
import { influencerSchema, leaderSchema } from '#contract/applications.ts'
import { contactSchema } from '#contract/contacts.ts'
import { endpoint } from '#contract/endpoint.ts'
import { ownActionReply, ownDataPaths, type RecordKind, recordLink } from '#contract/own-data.ts'
import { signatureSchema } from '#contract/petitions.ts'

/** What can be corrected, with the rules of the forms. The e-mail address cannot: it is what proves who asks. */
export const correctionSchemas = {
  assinaturas: z.pick(signatureSchema, { nome: true, whatsapp: true, cidade: true, estado: true, redesSociais: true }),
  voluntarios: z.pick(contactSchema, { name: true, whatsapp: true }),
  influenciadores: z.pick(influencerSchema, {
    name: true,
    whatsapp: true,
    cidade: true,
    estado: true,
    redesSociais: true,
  }),
  lideres: z.pick(leaderSchema, { nome: true, whatsapp: true, cidade: true, estado: true, redes_sociais: true }),
} satisfies Record<RecordKind, z.ZodMiniType>
const correctionBodies: Record<RecordKind, z.ZodMiniType<Record<string, string | null>>> = correctionSchemas

export const correctOwnRecord = (kind: RecordKind) =>
  endpoint({
    ...recordLink,
    method: 'POST',
    path: `/api${ownDataPaths.correct(kind)}`,
    status: 200,
    body: correctionBodies[kind],
    reply: ownActionReply,
  })
