// Output, arguments and exit codes of the commands backup, restore and password.
import { kindLabels, peopleKinds } from '#contract/admin/people.ts'
import { type Config, ConfigError } from '#server/core/config.ts'
import { AppError } from '#server/core/errors.ts'
import { describeError } from '#server/core/log.ts'
import { secretsFile } from '#server/core/secrets.ts'
import { BackupRefused, type Counts } from '#server/db/backup-file.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

const nouns: Record<string, [one: string, many: string]> = {
  ...Object.fromEntries(
    peopleKinds.map((kind) => [peopleDescriptors[kind].table, [kindLabels[kind].one, kindLabels[kind].many]]),
  ),
  bot_conversas: ['conversa', 'conversas'],
  campaigns: ['campanha', 'campanhas'],
  carousel_contents: ['conteúdo', 'conteúdos'],
}

export function summarizeCounts(counts: Counts): string {
  const parts = Object.entries(nouns).map(([table, [one, many]]) => {
    const rows = counts[table] ?? 0
    return `${rows.toLocaleString('pt-BR')} ${rows === 1 ? one : many}`
  })
  return new Intl.ListFormat('pt-BR').format(parts)
}

/** Names the database that a command uses: a setting that is missing in this terminal selects another database. */
export function describeDatabase({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ? 'o PostgreSQL de DATABASE_URL' : `o banco embutido em ${dataDir}`
}

export function dataKeyReminder(config: Config): string {
  const location = config.databaseUrl
    ? 'a variável DATA_KEY'
    : `a variável DATA_KEY, ou o arquivo ${secretsFile(config)}`
  return `A chave dos dados reservados não está na cópia (${location}): guarde-a em outro lugar. Sem ela CPF, nascimento, endereço e CEP dos líderes não podem ser lidos.`
}

export const newsConsentWithdrawn =
  'Se alguém já tinha saído das novidades, não dá mais para saber quem: agora ninguém as recebe, até aceitá-las de novo num formulário.'

/** Reads one argument (a file or an account) and the flags. Otherwise prints the usage and ends the process. */
export function readArguments(usage: string, allowedFlags: string[] = []): { argument: string; flags: Set<string> } {
  const all = process.argv.slice(2)
  const positional = all.filter((text) => !text.startsWith('-'))
  const flags = new Set(all.filter((text) => text.startsWith('-')))
  const unknown = [...flags].filter((flag) => !allowedFlags.includes(flag))
  const [argument] = positional
  if (argument && positional.length === 1 && unknown.length === 0) return { argument, flags }
  process.stderr.write(`Uso: ${usage}\n`)
  process.exit(2)
}

/** Aborted by Ctrl+C or SIGTERM, so that a command can undo unfinished work before it ends. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

/** Expected errors carry a message for the operator. Others are described without values that they may quote. */
export function exitWithError(error: unknown): void {
  process.stderr.write(`\n${errorMessage(error)}\n`)
  process.exitCode = 1
}

function errorMessage(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof BackupRefused || error instanceof AppError) return `Nada foi feito: ${error.message}.`
  if ((error as Error).name === 'AbortError') return 'Interrompido: nada foi feito.'
  return `Falhou, nada foi feito: ${JSON.stringify(describeError(error))}`
}
