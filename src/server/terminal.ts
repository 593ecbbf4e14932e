// What the commands beside the server say to the operator, and how they end.
import { type Config, ConfigError } from '#server/core/config.ts'
import { AppError } from '#server/core/errors.ts'
import { describeError } from '#server/core/log.ts'
import { secretsFile } from '#server/core/secrets.ts'
import { BackupRefused, type Counts } from '#server/db/backup-file.ts'

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const nouns: Record<string, [one: string, many: string]> = {
  peticoes: ['assinatura', 'assinaturas'],
  contacts: ['voluntário', 'voluntários'],
  influenciadores: ['influenciador', 'influenciadores'],
  lideres: ['líder', 'líderes'],
  bot_conversas: ['conversa', 'conversas'],
  campaigns: ['campanha', 'campanhas'],
  carousel_contents: ['conteúdo', 'conteúdos'],
}

export function sumUp(counts: Counts): string {
  const parts = Object.entries(nouns).map(([table, [one, many]]) => {
    const rows = counts[table] ?? 0
    return `${rows.toLocaleString('pt-BR')} ${rows === 1 ? one : many}`
  })
  return new Intl.ListFormat('pt-BR').format(parts)
}

/** Which database a command works on: settings that are missing from a terminal make it another one. */
export function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ? 'o PostgreSQL de DATABASE_URL' : `o banco embutido em ${dataDir}`
}

export function aboutSecrets(config: Config): string {
  const place = config.databaseUrl ? 'a variável DATA_KEY' : `a variável DATA_KEY, ou o arquivo ${secretsFile(config)}`
  return `A chave dos CPFs não está na cópia (${place}): guarde-a em outro lugar. Sem ela os CPFs dos líderes não podem ser lidos.`
}

/** The one file or account that a command is about, and the flags it was given; otherwise it ends by telling how it is used. */
export function readArguments(usage: string, flags: string[] = []): { subject: string; given: Set<string> } {
  const given = process.argv.slice(2)
  const subjects = given.filter((word) => !word.startsWith('-'))
  const unknown = given.filter((word) => word.startsWith('-') && !flags.includes(word))
  const [subject] = subjects
  if (subject && subjects.length === 1 && unknown.length === 0) return { subject, given: new Set(given) }
  process.stderr.write(`Uso: ${usage}\n`)
  process.exit(2)
}

/** Ctrl+C: what was begun is taken back, then the command ends. */
export function interrupted(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

/** Settings and refusals are sentences for the operator; anything else is described without the values it may quote. */
export function endWith(reason: unknown): void {
  process.stderr.write(`\n${sentenceFor(reason)}\n`)
  process.exitCode = 1
}

function sentenceFor(reason: unknown): string {
  if (reason instanceof ConfigError) return reason.message
  if (reason instanceof BackupRefused || reason instanceof AppError) return `Nada foi feito: ${reason.message}.`
  if ((reason as Error).name === 'AbortError') return 'Interrompido: nada foi feito.'
  return `Falhou, nada foi feito: ${JSON.stringify(describeError(reason))}`
}
