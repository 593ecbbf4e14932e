// Site settings as organisers edit them: the schema shared by form, server and SITE_FILE, the defaults, and the result.
import * as z from 'zod/mini'
import { unstorable } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { profiles, type Site } from '#contract/site.ts'
import { defaultMenu, menuKeys, resolveMenu } from '#contract/site-menu.ts'
import { stateCodes } from '#contract/states.ts'

/** Trims, and refuses characters that cannot be stored. */
const plainText = (max: number, wrongType = 'Precisa ser um texto') =>
  z.string(wrongType).check(
    z.trim(),
    z.maxLength(max, `Aceita no máximo ${max} caracteres`),
    z.refine((value) => !unstorable.test(value), messages.fields.caracteres),
  )

const text = (max: number) => plainText(max).check(z.minLength(1, 'Não pode ficar vazio'))

const wholeNumber = (min: number, max: number) => {
  const error = `Precisa ser um número inteiro de ${min} a ${max}`
  return z.int(error).check(z.minimum(min, error), z.maximum(max, error))
}

const flag = z.boolean('Precisa ser true ou false')

function isHttps(value: string): boolean {
  try {
    return /^https:\/\/[^\s]+$/.test(value) && Boolean(new URL(value))
  } catch {
    return false
  }
}
const notHttps = 'Precisa começar com https://'

const link = plainText(500, 'Precisa ser um endereço').check(z.refine(isHttps, notHttps))

/** Empty: the site does not show the link. */
const optionalLink = plainText(500, 'Precisa ser um endereço').check(
  z.refine((value) => value === '' || isHttps(value), notHttps),
)

const maxLinksPerSlot = 10
const groupLinks = z
  .array(z.strictObject({ link, cheio: flag }), 'Precisa ser um endereço, ou uma lista deles')
  .check(z.maxLength(maxLinksPerSlot, `Aceita no máximo ${maxLinksPerSlot} links`))

export type GroupLink = z.output<typeof groupLinks>[number]

const campaignSlug = z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'Precisa ser o endereço de uma campanha'))

/** A path on this site. Browsers read `//` and `/\` as the address of another site. */
const isOwnPath = (value: string) => /^\/(?![/\\])[^\s\\]*$/.test(value)

const menuItem = z
  .strictObject({
    chave: z.optional(z.enum(menuKeys, 'Não é um link do menu padrão')),
    texto: z.optional(plainText(40)),
    endereco: z.optional(plainText(500, 'Precisa ser um endereço')),
    oculto: flag,
  })
  .check(({ value: { chave, texto = '', endereco = '' }, issues }) => {
    if (chave) return
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', input: field, path: [field], message })
    if (!texto.trim()) refuse('texto', 'Não pode ficar vazio')
    if (!isOwnPath(endereco.trim()) && !isHttps(endereco.trim()))
      refuse('endereco', 'Precisa começar com / (página deste site) ou com https://')
  })

export const maxNewsPerDay = 10

const maxMenuItems = 20
const hasNoRepeats = (keys: string[]) => new Set(keys).size === keys.length

export const siteSettingsSchema = z.strictObject({
  movimento: text(60),
  lema: text(160),
  hashtag: text(40).check(z.regex(/^#[\p{L}\p{N}_]+$/u, 'Precisa começar com # e não ter espaços')),
  /** Empty: our own logo. An uploaded image gets the format for logos when it is saved. */
  logo: z
    .string('Precisa ser um texto')
    .check(z.regex(/^(\/media\/[0-9a-f]{64}\.(logo\.)?webp)?$/, 'Envie a imagem pela página de configurações')),
  /** Read from SITE_FILE only: it defines routes and a campaign when the server starts. */
  deputado: z.strictObject({
    slug: text(60).check(z.regex(/^[a-z0-9-]+$/, 'Aceita só letras minúsculas, números e hífen')),
    nome: text(120),
  }),
  contato: z.strictObject({
    email: text(254).check(z.regex(/^[^\s@]+@[^\s@]+$/, 'Precisa ser um e-mail')),
    /** Without a country code, `wa.me` would open a number of another country. */
    whatsapp: text(15).check(z.regex(/^\d{12,15}$/, 'Precisa começar com o código do país, só números: 55 e o DDD')),
    mensagem: text(200),
  }),
  /** Whether people with an unconfirmed signature get one reminder after two days. */
  lembrete: flag,
  /** How many news e-mails a mailbox gets per day at most, of all campaigns together. */
  novidadesPorDia: wholeNumber(1, maxNewsPerDay),
  grupos: z.strictObject({
    geral: groupLinks.check(z.minLength(1, 'Precisa de pelo menos um link')),
    criadores: groupLinks,
    influenciadores: groupLinks,
    campanhas: z.record(campaignSlug, groupLinks),
    estados: z.partialRecord(z.enum(stateCodes, 'Precisa ser a sigla de um estado'), groupLinks),
  }),
  perfis: z.strictObject({
    instagram: optionalLink,
    facebook: optionalLink,
    twitter: optionalLink,
    tiktok: optionalLink,
    youtube: optionalLink,
  }),
  comunidade: z.strictObject({
    formulario: link,
    membros: text(20),
    assinaturas: text(20),
    cidades: text(20),
    origem: text(300),
  }),
  menu: z.array(menuItem, 'Precisa ser uma lista').check(
    z.maxLength(maxMenuItems, `Aceita no máximo ${maxMenuItems} links`),
    z.refine((items) => hasNoRepeats(items.flatMap(({ chave }) => chave ?? [])), 'Um link do menu aparece duas vezes'),
  ),
  /** For administrators only. `empresa` is the path segment after the host in the chatbot's URLs. */
  botconversa: z.optional(
    z.strictObject({
      empresa: text(60).check(z.regex(/^[\w-]+$/, 'Aceita só letras, números, hífen e sublinhado')),
    }),
  ),
})

export type SiteSettings = z.output<typeof siteSettingsSchema>

const oneLink = (address: string): GroupLink[] => [{ link: address, cheio: false }]

export const defaultSettings: SiteSettings = {
  movimento: 'Mobiliza',
  lema: 'Do celular para as ruas: gente comum fazendo política junto.',
  hashtag: '#Mobiliza',
  logo: '',
  deputado: { slug: 'fulano', nome: 'Fulano de Tal' },
  contato: {
    email: 'contato@example.org',
    whatsapp: '5500000000000',
    mensagem: 'Olá! Vim pelo site e quero participar.',
  },
  lembrete: true,
  novidadesPorDia: 1,
  grupos: {
    geral: oneLink('https://example.org/grupo-geral'),
    criadores: oneLink('https://example.org/grupo-criadores'),
    influenciadores: oneLink('https://example.org/grupo-influenciadores'),
    campanhas: {},
    estados: {},
  },
  perfis: {
    instagram: 'https://example.org/instagram',
    facebook: 'https://example.org/facebook',
    twitter: 'https://example.org/twitter',
    tiktok: 'https://example.org/tiktok',
    youtube: 'https://example.org/youtube',
  },
  comunidade: {
    formulario: 'https://example.org/formulario-comunidade',
    membros: '53.011+',
    assinaturas: '54.292+',
    cidades: '1.097+',
    origem: 'Números informados pela coordenação do movimento.',
  },
  menu: defaultMenu,
}

/** The first link of the slots that is not full, else the last one of the first slot. Undefined without links. */
export function openGroup(...slots: (readonly GroupLink[] | undefined)[]): string | undefined {
  const open = slots.flatMap((links) => links ?? []).find(({ cheio }) => !cheio)
  return (open ?? slots.find((links) => links?.length)?.at(-1))?.link
}

export function resolveSite({ logo, grupos, perfis, comunidade, menu, ...settings }: SiteSettings): Site {
  return {
    ...settings,
    ...(logo && { logo }),
    grupos: {
      geral: openGroup(grupos.geral) ?? '',
      criadores: openGroup(grupos.criadores, grupos.geral) ?? '',
      influenciadores: openGroup(grupos.influenciadores, grupos.geral) ?? '',
    },
    perfis: Object.fromEntries(profiles.flatMap((name) => (perfis[name] ? [[name, perfis[name]]] : []))),
    comunidade,
    menu: resolveMenu(menu, settings.deputado),
  }
}

/** The group for a campaign, else for a state, else the general one. A full group gives way to the next one. */
export function groupFor({ grupos }: SiteSettings, { slug, uf }: { slug?: string; uf?: string }): string {
  const ofCampaign = slug !== undefined && Object.hasOwn(grupos.campanhas, slug) ? grupos.campanhas[slug] : undefined
  const state = stateCodes.find((code) => code === uf)
  return openGroup(ofCampaign, state && grupos.estados[state], grupos.geral) ?? ''
}
