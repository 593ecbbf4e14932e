// Site settings: the defaults, overridden by the operator's JSON file. An invalid key stops the start with its name.
import { readFileSync } from 'node:fs'
import { defaultSite, type Site, siteSchema } from '#contract/site.ts'
import { ConfigError } from '#server/core/config.ts'
import { findJsonProblem } from '#server/core/json-problem.ts'

export function readSite(file: string | undefined): Site {
  if (!file) return defaultSite
  const merged = siteSchema.safeParse(merge(defaultSite, parseFile(file)))
  if (merged.success) return merged.data
  throw new ConfigError(
    merged.error.issues.map((issue) => {
      const path = issue.path.join('.') || 'o arquivo'
      if (issue.code === 'unrecognized_keys')
        return `SITE_FILE: chave desconhecida: ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`
      if (issue.code === 'invalid_type' && issue.expected === 'object')
        return `SITE_FILE: ${path} precisa ser um objeto, entre { e }`
      return `SITE_FILE: ${path} ${issue.message}`
    }),
  )
}

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

function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change
  const merged = { ...base }
  for (const [key, value] of Object.entries(change)) merged[key] = merge(base[key], value)
  return merged
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
