// Site settings: the defaults, with what the operator's JSON file changes. A wrong key stops the start and is named.
import { readFileSync } from 'node:fs'
import { defaultSite, type Site, siteSchema } from '#contract/site.ts'
import { ConfigError } from '#server/core/config.ts'

export function readSite(file: string | undefined): Site {
  if (!file) return defaultSite
  const merged = siteSchema.safeParse(merge(defaultSite, parseFile(file)))
  if (merged.success) return merged.data
  throw new ConfigError(
    merged.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `SITE_FILE: chave desconhecida: ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`
        : `SITE_FILE: ${issue.path.join('.') || 'o arquivo'} ${issue.message}`,
    ),
  )
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new ConfigError([`SITE_FILE: ${file} não é um arquivo JSON válido`])
  }
}

function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change
  const merged = { ...base }
  for (const [key, value] of Object.entries(change)) merged[key] = merge(base[key], value)
  return merged
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
