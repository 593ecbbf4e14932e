// Lists of people: signers, volunteers, applicants. Filters are query parameters, of the page and of the API.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { tagField, workflowReply, workflowStatus } from '#contract/admin/people-workflow.ts'
import { availabilities, genders, influencerTasks } from '#contract/applications.ts'
import { volunteerTasks } from '#contract/contacts.ts'
import { endpoint } from '#contract/endpoint.ts'
import { unstorable } from '#contract/fields.ts'
import { stateCodes } from '#contract/states.ts'

const { people: texts } = adminMessages

export const peopleKinds = ['assinaturas', 'voluntarios', 'influenciadores', 'lideres'] as const
export type PeopleKind = (typeof peopleKinds)[number]

export const kindLabels: Record<PeopleKind, { list: string; one: string; many: string }> = {
  assinaturas: { list: 'Assinaturas', one: 'assinatura', many: 'assinaturas' },
  voluntarios: { list: 'Voluntários', one: 'voluntário', many: 'voluntários' },
  influenciadores: { list: 'Influenciadores', one: 'influenciador', many: 'influenciadores' },
  lideres: { list: 'Líderes', one: 'líder', many: 'líderes' },
}

const labelsFor = (tasks: readonly string[]) => Object.fromEntries(tasks.map((task) => [task, task]))

/** Tasks that people of each kind can choose: stored value and label. */
export const tasksOf: Record<PeopleKind, Record<string, string>> = {
  assinaturas: {},
  voluntarios: labelsFor(Object.values(volunteerTasks)),
  influenciadores: labelsFor(influencerTasks),
  lideres: availabilities,
}

/** Current consent to news: value in API and URLs, and label. */
export const newsConsents = { aceita: 'aceita', 'nao-aceita': 'não aceita', saiu: 'saiu' } as const
export type NewsConsent = keyof typeof newsConsents
const newsConsent = Object.keys(newsConsents) as [NewsConsent, ...NewsConsent[]]

export const genderNames: Record<string, string> = genders

/** An empty filter counts as absent. */
export const filter = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? undefined : value)),
    z.optional(schema),
  )

/** Unstorable characters cannot be compared with stored text. */
const searchText = (max: number, message: string) =>
  z.string(message).check(
    z.trim(),
    z.maxLength(max, message),
    z.refine((text) => !unstorable.test(text), message),
  )

/** `YYYY-MM-DD`, an existing day. */
export const day = (message: string) =>
  z.string(message).check(
    z.regex(/^20\d\d-\d\d-\d\d$/, { error: message, abort: true }),
    z.refine((text) => {
      const time = Date.parse(`${text}T00:00:00Z`)
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
    }, message),
  )

export const recordId = (message: string) =>
  z.string(message).check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, message))

export const peopleFilterFields = {
  busca: filter(searchText(200, texts.busca)),
  estado: filter(z.enum(stateCodes, texts.estado)),
  cidade: filter(searchText(120, texts.cidade)),
  campanha: filter(searchText(100, texts.campanha)),
  tarefa: filter(searchText(100, texts.tarefa)),
  confirmada: filter(z.enum(['sim', 'nao'], texts.confirmada)),
  novidades: filter(z.enum(newsConsent, texts.novidades)),
  /** The label of the link, site or import that the person came from. */
  origem: filter(searchText(60, texts.origem)),
  status: filter(workflowStatus()),
  /** User name of the owner, or `withoutOwner`. */
  responsavel: filter(searchText(50, adminMessages.workflow.owner)),
  etiqueta: filter(tagField()),
  de: filter(day(texts.data)),
  ate: filter(day(texts.data)),
}

export const peopleFilters = z.object(peopleFilterFields)
export type PeopleFilters = z.output<typeof peopleFilters>

const workflowFilters: (keyof PeopleFilters)[] = ['status', 'responsavel', 'etiqueta', 'origem']
const commonFilters: (keyof PeopleFilters)[] = [...workflowFilters, 'novidades', 'de', 'ate']

/** Filters that apply to each kind of people; others are ignored. */
export const filtersOf: Record<PeopleKind, (keyof PeopleFilters)[]> = {
  assinaturas: ['busca', 'campanha', 'estado', 'cidade', 'confirmada', ...commonFilters],
  voluntarios: ['busca', 'tarefa', ...commonFilters],
  influenciadores: ['busca', 'estado', 'cidade', 'tarefa', ...commonFilters],
  lideres: ['busca', 'estado', 'cidade', 'tarefa', ...commonFilters],
}

const kind = { tipo: z.enum(peopleKinds, texts.tipo) }
export const kindParams = z.object(kind)
export const recordParams = z.object({ ...kind, id: recordId(texts.notFound) })

const person = {
  id: z.string(),
  nome: z.string(),
  email: z.string(),
  whatsapp: z.string(),
  cidade: z.nullish(z.string()),
  estado: z.nullish(z.string()),
  campanha: z.nullish(z.string()),
  confirmadoEm: z.nullish(z.string()),
  tarefas: z.nullish(z.array(z.string())),
  novidades: z.enum(newsConsent),
  /** With its first and last digits masked. */
  cpf: z.nullish(z.string()),
  ...workflowReply,
  createdAt: z.string(),
}
const personSchema = z.object(person)
export type Person = z.output<typeof personSchema>

export const peoplePerPage = 25

/** Newest first. `antes`, `depois`: id of a record; returns the records before or after it. */
export const listPeople = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo',
  access: 'administrator',
  readAction: 'Buscou pessoas',
  params: kindParams,
  query: z.object({ ...peopleFilterFields, antes: filter(recordId(texts.page)), depois: filter(recordId(texts.page)) }),
  reply: z.object({
    success: z.boolean(),
    pessoas: z.array(personSchema),
    temAntes: z.boolean(),
    temDepois: z.boolean(),
  }),
})

/** `exato` is false if counting stopped early: there are at least `total`. */
export const countPeople = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/total',
  access: 'administrator',
  readAction: 'Buscou pessoas',
  params: kindParams,
  query: peopleFilters,
  reply: z.object({ success: z.boolean(), total: z.number(), exato: z.boolean() }),
})

/** Campaigns for the filter, including inactive ones. */
export const listSignedCampaigns = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/campanhas',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    campanhas: z.array(z.object({ slug: z.string(), titulo: z.string() })),
  }),
})

const personDetails = z.object({
  ...person,
  redesSociais: z.nullish(z.string()),
  origem: z.nullable(z.string()),
  versaoConsentimento: z.string(),
  genero: z.nullish(z.string()),
  profissao: z.nullish(z.string()),
  experiencia: z.nullish(z.string()),
  motivacao: z.nullish(z.string()),
  cpfConfere: z.nullish(z.boolean()),
})
export type PersonDetails = z.output<typeof personDetails>

const otherRecord = z.object({
  tipo: z.enum(peopleKinds),
  id: z.string(),
  campanha: z.nullish(z.string()),
  status: workflowStatus(),
  createdAt: z.string(),
})

export type OtherRecord = z.output<typeof otherRecord>

const ownConversation = z.object({ id: z.number(), ultimaEm: z.string() })
export type OwnConversation = z.output<typeof ownConversation>

const note = z.object({ id: z.number(), autor: z.string(), texto: z.string(), quando: z.string() })
export type Note = z.output<typeof note>

/** What is known about e-mails to the mailbox. There is no log of single e-mails. */
const mailboxState = z.object({
  /** By campaign slug or form; an empty key is for records that were erased. */
  enviados: z.array(z.object({ campanha: z.string(), n: z.number(), ultimo: z.string() })),
  /** Null: too many deliveries are waiting to be searched. */
  aguardando: z.nullable(z.number()),
  paradas: z.nullable(z.number()),
  descadastradoEm: z.nullable(z.string()),
  naoContatarDesde: z.nullable(z.string()),
  recusadoEm: z.nullable(z.string()),
})
export type MailboxState = z.output<typeof mailboxState>

const originImport = z.object({
  id: z.number(),
  arquivo: z.string(),
  origem: z.nullable(z.string()),
  baseLegal: z.nullable(z.string()),
  quando: z.string(),
})
export type OriginImport = z.output<typeof originImport>

export const readPerson = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/:id',
  access: 'administrator',
  readAction: 'Viu os dados de uma pessoa',
  params: recordParams,
  /**
   * `outros`: other records of the same mailbox; null while the search index is built.
   * `conversas`: chatbot conversations with the same phone or e-mail address.
   */
  reply: z.object({
    success: z.boolean(),
    pessoa: personDetails,
    outros: z.nullable(z.array(otherRecord)),
    conversas: z.array(ownConversation),
    /** The newest first. */
    notas: z.array(note),
    emails: mailboxState,
    /** The import that created the record. */
    importacao: z.nullable(originImport),
  }),
})

/** Sensitive data of a leader, shown only on request. */
export const revealLeader = endpoint({
  method: 'POST',
  path: '/api/admin/pessoas/lideres/:id/revelar',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Revelou dados reservados de líder',
  status: 200,
  params: z.object({ id: recordId(texts.notFound) }),
  /** Null: encrypted with a key that the server does not have. */
  reply: z.object({
    success: z.boolean(),
    cpf: z.nullable(z.string()),
    nascimento: z.nullable(z.string()),
    endereco: z.nullable(z.string()),
    cep: z.nullable(z.string()),
  }),
})

export const erasePerson = endpoint({
  method: 'DELETE',
  path: '/api/admin/pessoas/:tipo/:id',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Apagou os dados de uma pessoa',
  params: recordParams,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Replies with a stream, see export-stream.ts. */
export const exportPeople = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/exportar',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Começou a exportar pessoas',
  params: kindParams,
  query: z.object({
    ...peopleFilterFields,
    formato: z.enum(exportFormats, texts.formato),
    /** Includes CPF, birth date, address and CEP of leaders. */
    reservados: filter(z.literal('sim', texts.reservados)),
    /** Includes the notes of the team. */
    notas: filter(z.literal('sim', texts.notas)),
  }),
  reply: z.unknown(),
})
