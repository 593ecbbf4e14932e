// SITE_FILE: the initial site settings and the keys that it locks. An invalid key stops the start with its name.
import { readFileSync } from 'node:fs'
import { defaultSettings, type SiteSettings, siteSettingsSchema } from '#contract/site-settings.ts'
import { ConfigError } from '#server/core/config.ts'
import { findJsonProblem } from '#server/core/json-problem.ts'

export interface SiteFile {
  /** The settings before anything is saved: the defaults, overridden by the file. */
  settings: SiteSettings
  /** Paths of the settings that always have the value of the file. */
  locked: readonly string[]
}

export function readSiteFile(file: string | undefined): SiteFile {
  if (!file) return { settings: defaultSettings, locked: [] }
  const content = parseFile(file)
  const { travados: locked = [], ...changes } = isRecord(content) ? content : {}
  const merged = siteSettingsSchema.safeParse(
    mergeSettings(defaultSettings, isRecord(content) ? expandGroups(changes) : content),
  )
  if (!merged.success)
    throw new ConfigError(
      merged.error.issues.map((issue) => {
        // The file may give the only link of a group as a text.
        const path = issue.path.join('.').replace(/\.0\.link$/, '') || 'o arquivo'
        if (issue.code === 'unrecognized_keys')
          return `SITE_FILE: chave desconhecida: ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`
        if (issue.code === 'invalid_type' && issue.expected === 'object')
          return `SITE_FILE: ${path} precisa ser um objeto, entre { e }`
        if (issue.code === 'invalid_key') return `SITE_FILE: ${path} ${lowerFirst(issue.issues[0]?.message ?? '')}`
        return `SITE_FILE: ${path} ${lowerFirst(issue.message)}`
      }),
    )
  return { settings: merged.data, locked: checkLocked(locked) }
}

function checkLocked(locked: unknown): string[] {
  if (!Array.isArray(locked) || !locked.every((path) => typeof path === 'string'))
    throw new ConfigError(['SITE_FILE: travados precisa ser uma lista de nomes, como ["contato.email", "grupos"]'])
  const unknown = locked.filter((path) => !isSetting(path))
  if (unknown.length > 0) throw new ConfigError([`SITE_FILE: travados tem nome desconhecido: ${unknown.join(', ')}`])
  return locked
}

/** Whether the path names a setting. Groups of campaigns and states are named one by one, or all together. */
function isSetting(path: string): boolean {
  if (path === 'botconversa' || /^grupos\.(campanhas\.[a-z0-9-]+|estados\.[A-Z]{2})$/.test(path)) return true
  let value: unknown = defaultSettings
  for (const name of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return false
    value = value[name]
  }
  return true
}

/** A group may be one link as text, a list of links, or a list that also says which groups are full. */
function expandGroups(changes: Record<string, unknown>): Record<string, unknown> {
  const expandSlot = (slot: unknown): unknown => {
    if (isRecord(slot))
      return Object.fromEntries(Object.entries(slot).map(([name, links]) => [name, expandSlot(links)]))
    if (typeof slot === 'string') return [{ link: slot, cheio: false }]
    if (!Array.isArray(slot)) return slot
    return slot.map((link) =>
      typeof link === 'string' ? { link, cheio: false } : isRecord(link) ? { cheio: false, ...link } : link,
    )
  }
  return 'grupos' in changes ? { ...changes, grupos: expandSlot(changes.grupos) } : changes
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function parseFile(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch {
    const { line, column, reason } = findJsonProblem(text)
    throw new ConfigError([
      `SITE_FILE: ${file} não é um arquivo JSON válido. Linha ${line}, coluna ${column}: ${reason}`,
    ])
  }
}

function readText(file: string): string {
  try {
    // Drops the byte order mark that Windows editors write.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    const isDecoded = (error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA'
    throw new ConfigError([
      isDecoded
        ? `SITE_FILE: não foi possível ler ${file}`
        : `SITE_FILE: ${file} não está em UTF-8. Salve-o de novo com essa codificação`,
    ])
  }
}

/** Values of `change` replace those of `base`; objects are merged. */
export function mergeSettings(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change
  const merged = { ...base }
  for (const [key, value] of Object.entries(change)) merged[key] = mergeSettings(base[key], value)
  return merged
}

/** The settings with the file's value at every locked path. */
export function withLockedValues(settings: SiteSettings, file: SiteFile): SiteSettings {
  const result = structuredClone(settings)
  for (const path of file.locked) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let target: Record<string, unknown> = result
    let source: unknown = file.settings
    for (const name of names) {
      target = target[name] as Record<string, unknown>
      source = isRecord(source) ? source[name] : undefined
    }
    const value = isRecord(source) ? source[last] : undefined
    if (value === undefined) delete target[last]
    else target[last] = value
  }
  return result
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
