// Lists of people: who signed, volunteered, applied. Filters stand in the address, in the browser's and in the call's.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { availabilities, genders, influencerTasks } from '#contract/applications.ts'
import { volunteerTasks } from '#contract/contacts.ts'
import { endpoint } from '#contract/endpoint.ts'
import { stateCodes } from '#contract/states.ts'

const { people: sentences } = adminMessages

export const peopleKinds = ['assinaturas', 'voluntarios', 'influenciadores', 'lideres'] as const
export type PeopleKind = (typeof peopleKinds)[number]

const ofOneself = (tasks: readonly string[]) => Object.fromEntries(tasks.map((task) => [task, task]))

/** What people of a kind offered to do, by what is stored, and how it is shown. */
export const tasksOf: Record<PeopleKind, Record<string, string>> = {
  assinaturas: {},
  voluntarios: ofOneself(Object.values(volunteerTasks)),
  influenciadores: ofOneself(influencerTasks),
  lideres: availabilities,
}

/** Of news, as it is now, by what calls and addresses say, and how it is shown. */
export const newsConsents = { aceita: 'aceita', 'nao-aceita': 'não aceita', saiu: 'saiu' } as const
export type NewsConsent = keyof typeof newsConsents
const newsConsent = Object.keys(newsConsents) as [NewsConsent, ...NewsConsent[]]

export const genderNames: Record<string, string> = genders

/** A filter that is empty is not there. */
const filter = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? undefined : value)),
    z.optional(schema),
  )

// Neither can be compared with what is stored.
const unstorable = /[\p{Cc}\p{Cs}]/u
const words = (max: number, sentence: string) =>
  z.string(sentence).check(
    z.trim(),
    z.maxLength(max, sentence),
    z.refine((text) => !unstorable.test(text), sentence),
  )

const day = (sentence: string) =>
  z.string(sentence).check(
    z.regex(/^20\d\d-\d\d-\d\d$/, { error: sentence, abort: true }),
    z.refine((text) => {
      const time = Date.parse(`${text}T00:00:00Z`)
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
    }, sentence),
  )

const recordId = (sentence: string) =>
  z.string(sentence).check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, sentence))

const filters = {
  busca: filter(words(200, sentences.busca)),
  estado: filter(z.enum(stateCodes, sentences.estado)),
  cidade: filter(words(120, sentences.cidade)),
  campanha: filter(words(100, sentences.campanha)),
  tarefa: filter(words(100, sentences.tarefa)),
  confirmada: filter(z.enum(['sim', 'nao'], sentences.confirmada)),
  novidades: filter(z.enum(newsConsent, sentences.novidades)),
  de: filter(day(sentences.data)),
  ate: filter(day(sentences.data)),
}

export const peopleFilters = z.object(filters)
export type PeopleFilters = z.output<typeof peopleFilters>

/** Which filters mean something for a kind of people; others are left out of account. */
export const filtersOf: Record<PeopleKind, (keyof PeopleFilters)[]> = {
  assinaturas: ['busca', 'campanha', 'estado', 'cidade', 'confirmada', 'novidades', 'de', 'ate'],
  voluntarios: ['busca', 'tarefa', 'novidades', 'de', 'ate'],
  influenciadores: ['busca', 'estado', 'cidade', 'tarefa', 'novidades', 'de', 'ate'],
  lideres: ['busca', 'estado', 'cidade', 'tarefa', 'novidades', 'de', 'ate'],
}

const kind = z.object({ tipo: z.enum(peopleKinds, sentences.tipo) })
const record = z.object({ tipo: z.enum(peopleKinds, sentences.tipo), id: recordId(sentences.notFound) })

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
  /** With its first and last digits hidden. */
  cpf: z.nullish(z.string()),
  createdAt: z.string(),
}
const personSchema = z.object(person)
export type Person = z.output<typeof personSchema>

export const peoplePerPage = 25

/** Newest first. `antes` asks for those before a record, `depois` for those after it. */
export const listPeople = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo',
  access: 'administrator',
  params: kind,
  query: z.object({ ...filters, antes: filter(recordId(sentences.page)), depois: filter(recordId(sentences.page)) }),
  reply: z.object({
    success: z.boolean(),
    pessoas: z.array(personSchema),
    temAntes: z.boolean(),
    temDepois: z.boolean(),
  }),
})

/** `exato` is false when counting stopped: there are more than `total`. */
export const countPeople = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/total',
  access: 'administrator',
  params: kind,
  query: peopleFilters,
  reply: z.object({ success: z.boolean(), total: z.number(), exato: z.boolean() }),
})

/** The campaigns that can be chosen in the filter, those switched off too. */
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
  createdAt: z.string(),
})

export type OtherRecord = z.output<typeof otherRecord>

const ownConversation = z.object({ id: z.number(), ultimaEm: z.string() })
export type OwnConversation = z.output<typeof ownConversation>

export const readPerson = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/:id',
  access: 'administrator',
  params: record,
  /**
   * `outros`: what else was sent with the same mailbox; unknown while the search is being prepared. `conversas`: with the chatbot, by
   * the same phone or address.
   */
  reply: z.object({
    success: z.boolean(),
    pessoa: personDetails,
    outros: z.nullable(z.array(otherRecord)),
    conversas: z.array(ownConversation),
  }),
})

/** What is kept of leaders and shown on request alone. */
export const revealLeader = endpoint({
  method: 'POST',
  path: '/api/admin/pessoas/lideres/:id/revelar',
  access: 'administrator',
  deed: 'Revelou dados reservados de líder',
  status: 200,
  params: z.object({ id: recordId(sentences.notFound) }),
  reply: z.object({
    success: z.boolean(),
    cpf: z.nullable(z.string()),
    nascimento: z.string(),
    endereco: z.string(),
    cep: z.string(),
  }),
})

export const erasePerson = endpoint({
  method: 'DELETE',
  path: '/api/admin/pessoas/:tipo/:id',
  access: 'administrator',
  deed: 'Apagou os dados de uma pessoa',
  params: record,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Answers a stream, see export-stream.ts. */
export const exportPeople = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/exportar',
  access: 'administrator',
  deed: 'Começou a exportar pessoas',
  params: kind,
  query: z.object({
    ...filters,
    formato: z.enum(exportFormats, sentences.formato),
    /** CPF, birth date, address and CEP of leaders, too. */
    reservados: filter(z.literal('sim', sentences.reservados)),
  }),
  reply: z.unknown(),
})
