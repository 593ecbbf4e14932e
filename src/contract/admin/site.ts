// Site settings for administrators: reading, saving, versions and restoring. SITE_FILE may lock settings.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { endpoint } from '#contract/endpoint.ts'
import type { Site } from '#contract/site.ts'
import { completeMenu, type MenuItem, specifiedLinks } from '#contract/site-menu.ts'
import { type GroupLink, type SiteSettings, siteSettingsSchema } from '#contract/site-settings.ts'

const { site: texts } = adminMessages

const { deputado: deputySchema, ...editable } = siteSettingsSchema.shape

/** The settings that administrators edit. The deputy is read from SITE_FILE only. */
export const siteFields = z.object(editable)
export type SiteFields = z.output<typeof siteFields>

const storedSite = z.object({
  /** Sent back with an edit, to detect that another administrator saved first. 0: nothing was saved yet. */
  versao: z.number(),
  autor: z.nullable(z.string()),
  settings: siteFields,
  deputado: deputySchema,
  /** Paths of settings that SITE_FILE locks, such as `contato.email` or `grupos`. */
  travados: z.array(z.string()),
})
export type StoredSite = z.output<typeof storedSite>

const savedReply = z.object({ success: z.boolean(), message: z.string(), site: storedSite })
const baseVersion = z.int(texts.versao).check(z.minimum(0, texts.versao))

export const readSiteSettings = endpoint({
  method: 'GET',
  path: '/api/admin/site',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), site: storedSite }),
})

/** Replies 409 with a message and the stored settings, if they changed after the edit began. */
export const saveSiteSettings = endpoint({
  method: 'PUT',
  path: '/api/admin/site',
  access: 'administrator',
  auditAction: 'Alterou configurações do site',
  body: z.extend(siteFields, { versao: baseVersion }),
  reply: savedReply,
})

export const shownSiteVersions = 50

export const listSiteVersions = endpoint({
  method: 'GET',
  path: '/api/admin/site/versoes',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    versoes: z.array(
      z.object({
        versao: z.number(),
        autor: z.nullable(z.string()),
        createdAt: z.string(),
        /** Names of the settings that differ from the version before. */
        mudou: z.array(z.string()),
      }),
    ),
  }),
})

/** Saves the settings of an earlier version as a new one. Replies 409 like an edit. */
export const restoreSiteVersion = endpoint({
  method: 'POST',
  path: '/api/admin/site/versoes/:versao/restaurar',
  access: 'administrator',
  status: 200,
  auditAction: 'Restaurou configurações do site',
  params: z.object({
    versao: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, texts.versionMissing)), z.transform(Number)),
  }),
  body: z.object({ versao: baseVersion }),
  reply: savedReply,
})

/** Every setting by its path, in the order of the page. */
export const siteLabels = {
  movimento: 'Nome do movimento',
  lema: 'Lema',
  hashtag: 'Hashtag',
  logo: 'Logo',
  'contato.email': 'E-mail de contato',
  'contato.whatsapp': 'Número do WhatsApp',
  'contato.mensagem': 'Mensagem pronta do WhatsApp',
  lembrete: 'Lembrete por e-mail',
  novidadesPorDia: 'Novidades por dia',
  'perfis.instagram': 'Instagram',
  'perfis.facebook': 'Facebook',
  'perfis.twitter': 'Twitter',
  'perfis.tiktok': 'TikTok',
  'perfis.youtube': 'YouTube',
  'grupos.geral': 'Grupo geral',
  'grupos.criadores': 'Grupo de criadores de conteúdo',
  'grupos.influenciadores': 'Grupo de influenciadores',
  'grupos.campanhas': 'Grupos por campanha',
  'grupos.estados': 'Grupos por estado',
  'comunidade.formulario': 'Formulário da comunidade',
  'comunidade.membros': 'Membros ativos',
  'comunidade.assinaturas': 'Assinaturas da comunidade',
  'comunidade.cidades': 'Cidades ativas',
  'comunidade.origem': 'Origem dos números',
  menu: 'Menu do cabeçalho',
  'botconversa.empresa': 'Empresa no BotConversa',
} as const
export type SitePath = keyof typeof siteLabels
export const sitePaths = Object.keys(siteLabels) as SitePath[]

/** The value at a path such as `grupos.estados.SP`. */
export function valueAt(settings: object, path: string): unknown {
  let value: unknown = settings
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  return value
}

/** The paths at which two settings differ. */
export function changedPaths(one: SiteFields, other: SiteFields): SitePath[] {
  const canonical = (value: unknown) => JSON.stringify(sortKeys(value)) ?? ''
  return sitePaths.filter((path) => canonical(valueAt(one, path)) !== canonical(valueAt(other, path)))
}

/** The database returns the keys of an object in another order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined)
  return Object.fromEntries(names.sort().map((name) => [name, sortKeys(fields[name])]))
}

/** The value of a setting as text, for the audit log and for the comparison of two versions. */
export function describeSetting(settings: SiteFields, path: SitePath, deputado: Site['deputado']): string {
  if (path === 'menu') return describeMenu(settings.menu, deputado)
  if (path === 'lembrete') return settings.lembrete ? 'ligado' : 'desligado'
  if (path === 'logo') return settings.logo ? 'imagem enviada' : 'megafone'
  const value = valueAt(settings, path)
  if (Array.isArray(value)) return describeLinks(value)
  if (typeof value === 'object' && value !== null)
    return Object.entries(value as SiteSettings['grupos']['campanhas'])
      .map(([slot, links]) => `${slot}: ${describeLinks(links)}`)
      .join('; ')
  return String(value ?? '')
}

const describeLinks = (links: GroupLink[]) =>
  links.map(({ link, cheio }) => (cheio ? `${link} (cheio)` : link)).join(', ')

function describeMenu(items: MenuItem[], deputado: Site['deputado']): string {
  const specified = specifiedLinks(deputado)
  return completeMenu(items)
    .map(({ chave, texto, endereco, oculto }) => {
      const name = chave ? specified[chave].text : `${texto} → ${endereco}`
      return oculto ? `${name} (oculto)` : name
    })
    .join(', ')
}
