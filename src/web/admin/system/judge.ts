// What the figures of the status mean: part by part, whether somebody should look at it, and why.
import type { SystemStatus } from '#contract/admin/system.ts'
import { inPortuguese } from '#web/admin/system/failure-words.ts'
import { bytesInWords, counted, durationInWords, inWords } from '#web/admin/ui/amounts.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'

export interface Part {
  name: string
  state: 'fine' | 'look' | 'unknown'
  words: string
}

const longWaitSeconds = 15 * 60
const littleDisk = 1024 ** 3
const slowAnswerMs = 500
const lateMs = 500

export function judge(status: SystemStatus): Part[] {
  return [
    database(status),
    migrations(status),
    disk(status),
    deliveries(status),
    email(status),
    spreadsheet(status),
    leaderForm(status),
    sampleSettings(status),
    node(status),
    failures(status),
  ]
}

const unknown = (name: string): Part => ({ name, state: 'unknown', words: 'Não foi possível ler.' })
const stateOf = (wrong: boolean): Part['state'] => (wrong ? 'look' : 'fine')

function database({ database: read }: SystemStatus): Part {
  const name = 'Banco de dados'
  if (!read) return unknown(name)
  const engine = read.engine === 'embedded' ? 'embutido (PostgreSQL' : 'PostgreSQL ('
  const words = `${engine}${read.engine === 'embedded' ? ' ' : ''}${read.version}), ${bytesInWords(read.sizeBytes)}, respondeu em ${inWords(read.answerMs)} ms.`
  return { name, state: stateOf(read.answerMs > slowAnswerMs), words: capital(words) }
}

function migrations({ migrations: read }: SystemStatus): Part {
  const name = 'Migrações'
  if (!read) return unknown(name)
  const { applied, pending, unknown: strange } = read
  const words = [
    counted(applied, 'aplicada', 'aplicadas'),
    pending === 0 ? 'nenhuma pendente' : counted(pending, 'pendente', 'pendentes'),
    ...(strange > 0 ? [`${counted(strange, 'é', 'são')} de outra versão do programa`] : []),
  ]
  return { name, state: stateOf(pending > 0 || strange > 0), words: `${words.join(', ')}.` }
}

function disk({ disk: read }: SystemStatus): Part {
  const name = 'Disco da pasta de dados'
  if (!read) return { name, state: 'unknown', words: 'Este servidor não tem pasta de dados.' }
  const words = `${bytesInWords(read.freeBytes)} livres de ${bytesInWords(read.totalBytes)}.`
  return { name, state: stateOf(read.freeBytes < littleDisk), words }
}

function deliveries({ deliveries: read }: SystemStatus): Part {
  const name = 'Fila de entregas'
  if (!read) return unknown(name)
  const { waiting, oldestSeconds, parked, here } = read
  const words = [
    waiting === 0 ? 'Nada espera' : `${counted(waiting, 'entrega espera', 'entregas esperam')}`,
    ...(oldestSeconds >= 1 ? [`a mais atrasada há ${durationInWords(oldestSeconds)}`] : []),
    parked === 0 ? 'nenhuma parada' : counted(parked, 'parada', 'paradas'),
  ]
  const elsewhere = here ? '' : ' Este servidor não faz entregas (DELIVERIES=off).'
  return {
    name,
    state: stateOf(parked > 0 || oldestSeconds > longWaitSeconds),
    words: `${words.join(', ')}.${elsewhere}`,
  }
}

function email({ email: mode, deliveries }: SystemStatus): Part {
  const name = 'E-mails'
  const away = deliveries?.emailsAway
  if (mode === 'local') {
    const words = 'Nenhum servidor SMTP configurado: ninguém recebe e-mails, que ficam na caixa local.'
    return { name, state: 'look', words }
  }
  if (away) {
    const words = `Não saem, e esperam na fila. Em ${momentInWords(away.at)}: ${away.reason}`
    return { name, state: 'look', words }
  }
  return { name, state: deliveries ? 'fine' : 'unknown', words: 'Saem pelo servidor SMTP configurado.' }
}

function spreadsheet({ spreadsheet: read }: SystemStatus): Part {
  const name = 'Planilha'
  if (!read) return unknown(name)
  const { kind, waiting, lastSuccess, lastFailure, failing } = read
  const words = [
    kind === 'google' ? 'Google Sheets.' : 'Arquivos CSV na pasta de dados.',
    waiting === 0 ? 'Nada espera.' : `${counted(waiting, 'linha espera', 'linhas esperam')}.`,
    lastSuccess ? `Última gravação em ${momentInWords(lastSuccess)}.` : 'Nada foi gravado ainda.',
    ...(failing && lastFailure ? [`Falhou em ${momentInWords(lastFailure.at)}: ${lastFailure.reason}`] : []),
  ]
  return { name, state: stateOf(failing), words: words.join(' ') }
}

function leaderForm({ leaderForm: state }: SystemStatus): Part {
  const words =
    state === 'open'
      ? 'Aberto: os CPFs são guardados cifrados.'
      : 'Fechado: quem se inscreve como líder é recusado, porque falta a chave que cifra os CPFs. Defina DATA_KEY (crie uma com openssl rand -base64 32; a mesma em todos os servidores, e guardada também em outro lugar) e reinicie o site.'
  return { name: 'Formulário de líderes', state: stateOf(state === 'closed'), words }
}

function sampleSettings({ sampleSettings: settings }: SystemStatus): Part {
  const words =
    settings.length === 0
      ? 'Nenhum dado de exemplo.'
      : counted(
          settings.length,
          'dado ainda é de exemplo e precisa ser trocado.',
          'dados ainda são de exemplo e precisam ser trocados.',
        )
  return { name: 'Dados do movimento', state: stateOf(settings.length > 0), words }
}

function node({ node: read }: SystemStatus): Part {
  const { version, runtime, since, memoryBytes, delay } = read
  const words = `Mobiliza ${version}, ${runtime}, no ar desde ${momentInWords(since)}, ${bytesInWords(memoryBytes)} de memória, atraso de até ${inWords(delay.maxMs)} ms nos últimos ${counted(delay.seconds, 'segundo', 'segundos')}.`
  return { name: 'Este servidor', state: stateOf(delay.p99Ms > lateMs), words }
}

function failures({ failures: known, at }: SystemStatus): Part {
  const name = 'Falhas deste servidor'
  const [last] = known
  if (!last) return { name, state: 'fine', words: 'Nenhuma desde que ele está no ar.' }
  const secondsAgo = (Date.parse(at) - Date.parse(last.lastAt)) / 1000
  const words = `A última em ${momentInWords(last.lastAt)}: ${inPortuguese[last.message] ?? last.message}.`
  return { name, state: stateOf(secondsAgo < longWaitSeconds), words }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
