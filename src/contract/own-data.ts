// A person's own data: request of the link by e-mail, and what the holder of the link can see and do.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { checkbox, email } from '#contract/fields.ts'

export const ownDataMessages = {
  requested: 'Pedido recebido. Se houver dados com este e-mail, o link chega em alguns minutos.',
  corrected: 'Pronto: os dados foram corrigidos.',
  withdrawn: 'Pronto: a assinatura foi retirada.',
  erased: 'Pronto: os dados foram apagados.',
  confirmErasure: 'Marque a caixa para apagar',
  eraseNeedsMailbox:
    'Este endereço tem um “+”. Para apagar tudo, precisamos saber que o endereço sem ele também é seu.',
  linkUnknown: 'Link não encontrado.',
  recordNotFound: 'Este cadastro não existe mais.',
} as const

export const ownDataPath = '/meus-dados'
export const ownDataPaths = {
  opened: '/meus-dados/:token',
  correct: (kind: RecordKind) => `/meus-dados/:token/corrigir/${kind}/:id`,
  withdraw: '/meus-dados/:token/retirar/:id',
  erase: '/meus-dados/:token/apagar',
  erased: '/meus-dados/apagado',
} as const

/** The query parameter that tells the page what was just done. */
export const doneParameter = 'feito'

/** Of each mailbox, and how long the link works. */
export const maxRequestsPerHour = 3
export const linkMinutes = 60

/** The kinds of records, in the order of the page. */
export const recordKinds = ['assinaturas', 'voluntarios', 'influenciadores', 'lideres'] as const
export type RecordKind = (typeof recordKinds)[number]

export const requestOwnData = endpoint({
  method: 'POST',
  path: `/api${ownDataPath}`,
  access: 'anyone',
  status: 202,
  body: z.object({ email: email() }),
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

const token = z.string().check(z.regex(/^[\w-]{22}$/, ownDataMessages.linkUnknown))
const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, ownDataMessages.recordNotFound))

const link = { access: 'link', params: z.object({ token }), paramsCode: 'link-unknown' } as const
export const recordLink = { access: 'link', params: z.object({ token, id: uuid }) } as const
export const ownActionReply = z.object({ success: z.boolean(), message: z.string() })

const namedValue = z.object({ nome: z.string(), valor: z.string() })

const ownRecord = z.object({
  id: z.string(),
  tipo: z.enum(recordKinds),
  /** The title of the signed campaign. Null for other forms. */
  campanha: z.nullable(z.string()),
  enviadoEm: z.string(),
  /** When the link of the e-mail was used. */
  confirmadoEm: z.nullable(z.string()),
  /** All fields with their labels. The CPF is masked. */
  dados: z.array(namedValue),
  versaoConsentimento: z.string(),
  /** The version of the text that was signed. Null for other forms and for old signatures. */
  versaoManifesto: z.nullable(z.number()),
  /** Where the team got the record, if the person did not send the form. */
  importacao: z.nullable(z.object({ origem: z.string(), baseLegal: z.string(), quando: z.string() })),
  /** How the team works with the record. Of notes only their dates: they may name other people. */
  acompanhamento: z.object({ situacao: z.string(), etiquetas: z.array(z.string()), notas: z.array(z.string()) }),
  /** The fields that can be corrected, in the order of their form. */
  correcao: z.array(z.object({ campo: z.string(), valor: z.string() })),
})
export type OwnRecord = z.output<typeof ownRecord>

const ownConversation = z.object({
  inicio: z.string(),
  ultima: z.string(),
  dados: z.array(namedValue),
  mensagens: z.array(
    z.object({ quando: z.string(), mensagem: z.nullable(z.string()), resposta: z.nullable(z.string()) }),
  ),
})

export const ownDataSchema = z.object({
  success: z.boolean(),
  /** The address that the link was sent for. */
  endereco: z.string(),
  /** The address without its `+tag`, if it has one: a link to that address is needed to erase the mailbox. */
  enderecoPrincipal: z.nullable(z.string()),
  geradoEm: z.string(),
  linkValeAte: z.string(),
  registros: z.array(ownRecord),
  /** Conversations with the chatbot in which this address was given. */
  conversas: z.array(ownConversation),
  emails: z.object({
    /** By campaign or form. */
    enviados: z.array(z.object({ assunto: z.string(), quantidade: z.number(), ultimo: z.string() })),
    novidades: z.array(z.object({ titulo: z.string(), situacao: z.string() })),
    /** E-mails in the queue. Null if the queue is too long to search. */
    aguardando: z.nullable(z.number()),
    descadastradoEm: z.nullable(z.string()),
    naoContatarDesde: z.nullable(z.string()),
    recusadoEm: z.nullable(z.string()),
    motivoDaRecusa: z.nullable(z.string()),
    /** Campaigns whose news the mailbox does not want. */
    semNovidadesDe: z.array(z.string()),
  }),
  /** Path of the page where the mailbox chooses its e-mails. */
  preferencias: z.string(),
})
export type OwnData = z.output<typeof ownDataSchema>

export const readOwnData = endpoint({ ...link, method: 'GET', path: '/api/meus-dados/:token', reply: ownDataSchema })

/** The same as a file. */
export const downloadOwnData = endpoint({
  ...link,
  method: 'GET',
  path: '/api/meus-dados/:token/arquivo',
  fileName: 'meus-dados.json',
  reply: ownDataSchema,
})

export const withdrawOwnSignature = endpoint({
  ...recordLink,
  method: 'POST',
  path: `/api${ownDataPaths.withdraw}`,
  status: 200,
  reply: ownActionReply,
})

export const eraseOwnData = endpoint({
  ...link,
  method: 'POST',
  path: `/api${ownDataPaths.erase}`,
  status: 200,
  body: z.object({ confirmo: checkbox().check(z.refine((confirmed) => confirmed, ownDataMessages.confirmErasure)) }),
  reply: ownActionReply,
})
