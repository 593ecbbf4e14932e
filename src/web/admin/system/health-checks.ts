// Evaluates the system status: which parts need attention, and why.
import type { SystemStatus } from '#contract/admin/system.ts'
import { describePeriods, namesWithoutPeriod } from '#contract/retention.ts'
import { failureMessages } from '#web/admin/system/failure-messages.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatBytes, formatDuration, formatNumber, pluralize } from '#web/admin/ui/format-number.ts'

export interface HealthCheck {
  name: string
  state: 'fine' | 'look' | 'unknown'
  text: string
}

const longQueueWaitSeconds = 15 * 60
const recentFailureSeconds = 15 * 60
const lowDiskBytes = 1024 ** 3
const slowAnswerMs = 500
const slowEventLoopMs = 500

export function checkHealth(status: SystemStatus): HealthCheck[] {
  return [
    database(status),
    migrations(status),
    disk(status),
    deliveries(status),
    email(status),
    spreadsheet(status),
    leaderForm(status),
    sampleSettings(status),
    retention(status),
    node(status),
    failures(status),
  ]
}

const unknown = (name: string): HealthCheck => ({ name, state: 'unknown', text: 'Não foi possível ler.' })
const stateOf = (wrong: boolean): HealthCheck['state'] => (wrong ? 'look' : 'fine')

function database({ database: info }: SystemStatus): HealthCheck {
  const name = 'Banco de dados'
  if (!info) return unknown(name)
  const engine = info.engine === 'embedded' ? 'embutido (PostgreSQL' : 'PostgreSQL ('
  const text = `${engine}${info.engine === 'embedded' ? ' ' : ''}${info.version}), ${formatBytes(info.sizeBytes)}, respondeu em ${formatNumber(info.answerMs)} ms.`
  return { name, state: stateOf(info.answerMs > slowAnswerMs), text: capitalize(text) }
}

function migrations({ migrations: info }: SystemStatus): HealthCheck {
  const name = 'Migrações'
  if (!info) return unknown(name)
  const { applied, pending, unknown: unrecognized } = info
  const text = [
    pluralize(applied, 'aplicada', 'aplicadas'),
    pending === 0 ? 'nenhuma pendente' : pluralize(pending, 'pendente', 'pendentes'),
    ...(unrecognized > 0 ? [`${pluralize(unrecognized, 'é', 'são')} de outra versão do programa`] : []),
  ]
  return { name, state: stateOf(pending > 0 || unrecognized > 0), text: `${text.join(', ')}.` }
}

function disk({ disk: info }: SystemStatus): HealthCheck {
  const name = 'Disco da pasta de dados'
  if (!info) return { name, state: 'unknown', text: 'Este servidor não tem pasta de dados.' }
  const text = `${formatBytes(info.freeBytes)} livres de ${formatBytes(info.totalBytes)}.`
  return { name, state: stateOf(info.freeBytes < lowDiskBytes), text }
}

function deliveries({ deliveries: info }: SystemStatus): HealthCheck {
  const name = 'Fila de entregas'
  if (!info) return unknown(name)
  const { waiting, oldestSeconds, parked, here } = info
  const text = [
    waiting === 0 ? 'Nada espera' : `${pluralize(waiting, 'entrega espera', 'entregas esperam')}`,
    ...(oldestSeconds >= 1 ? [`a mais atrasada há ${formatDuration(oldestSeconds)}`] : []),
    parked === 0 ? 'nenhuma parada' : pluralize(parked, 'parada', 'paradas'),
  ]
  const deliveryNote = here ? '' : ' Este servidor não faz entregas (DELIVERIES=off).'
  return {
    name,
    state: stateOf(parked > 0 || oldestSeconds > longQueueWaitSeconds),
    text: `${text.join(', ')}.${deliveryNote}`,
  }
}

function email({ email: mode, deliveries }: SystemStatus): HealthCheck {
  const name = 'E-mails'
  const outage = deliveries?.emailsAway
  if (mode === 'local') {
    const text = 'Nenhum servidor SMTP configurado: ninguém recebe e-mails, que ficam na caixa local.'
    return { name, state: 'look', text }
  }
  if (outage) {
    const text = `Não saem, e esperam na fila. Em ${formatDateTime(outage.at)}: ${outage.reason}`
    return { name, state: 'look', text }
  }
  const held = deliveries?.heldEmails
  if (held) {
    const text = [
      `${pluralize(held.waiting, 'primeiro e-mail espera', 'primeiros e-mails esperam')} na fila até ${formatDateTime(held.until)}: vieram mais de ${formatNumber(held.perHour)} em uma hora.`,
      'Nada se perde, e os outros e-mails continuam saindo.',
      'Veja em Pessoas quem está chegando. Se é gente de verdade, aumente FIRST_EMAILS_PER_HOUR, até onde o seu provedor aceita. Se parecem endereços inventados ou de desconhecidos, alguém pode estar usando o site para incomodar: deixe o limite e remova essas assinaturas.',
    ]
    return { name, state: 'look', text: text.join(' ') }
  }
  return { name, state: deliveries ? 'fine' : 'unknown', text: 'Saem pelo servidor SMTP configurado.' }
}

function spreadsheet({ spreadsheet: info }: SystemStatus): HealthCheck {
  const name = 'Planilha'
  if (!info) return unknown(name)
  const { kind, waiting, lastSuccess, lastFailure, failing } = info
  const text = [
    kind === 'google' ? 'Google Sheets.' : 'Arquivos CSV na pasta de dados.',
    waiting === 0 ? 'Nada espera.' : `${pluralize(waiting, 'linha espera', 'linhas esperam')}.`,
    lastSuccess ? `Última gravação em ${formatDateTime(lastSuccess)}.` : 'Nada foi gravado ainda.',
    ...(failing && lastFailure ? [`Falhou em ${formatDateTime(lastFailure.at)}: ${lastFailure.reason}`] : []),
  ]
  return { name, state: stateOf(failing), text: text.join(' ') }
}

function leaderForm({ leaderForm: state }: SystemStatus): HealthCheck {
  const text =
    state === 'open'
      ? 'Aberto: CPF, nascimento, endereço e CEP são guardados cifrados.'
      : 'Fechado: quem se inscreve como líder é recusado, porque falta a chave que cifra os dados reservados. Defina DATA_KEY (crie uma com openssl rand -base64 32; a mesma em todos os servidores, e guardada também em outro lugar) e reinicie o site.'
  return { name: 'Formulário de líderes', state: stateOf(state === 'closed'), text }
}

function sampleSettings({ sampleSettings: settings }: SystemStatus): HealthCheck {
  const text =
    settings.length === 0
      ? 'Nenhum dado de exemplo.'
      : pluralize(
          settings.length,
          'dado ainda é de exemplo e precisa ser trocado.',
          'dados ainda são de exemplo e precisam ser trocados.',
        )
  return { name: 'Dados do movimento', state: stateOf(settings.length > 0), text }
}

function retention({ retention: periods }: SystemStatus): HealthCheck {
  const erased = describePeriods(periods).map(({ name, period }) => `${name}, ${period}`)
  const others = namesWithoutPeriod(periods)
  const text = [
    ...(erased.length > 0 ? [`O site apaga: ${erased.join('; ')}.`] : ['Nada é apagado por data.']),
    ...(erased.length > 0 && others ? [`Sem prazo: ${others}.`] : []),
  ]
  return { name: 'Prazos de guarda', state: 'fine', text: text.join(' ') }
}

function node({ node: info }: SystemStatus): HealthCheck {
  const { version, runtime, since, memoryBytes, delay } = info
  const text = `Mobiliza ${version}, ${runtime}, no ar desde ${formatDateTime(since)}, ${formatBytes(memoryBytes)} de memória, atraso de até ${formatNumber(delay.maxMs)} ms nos últimos ${pluralize(delay.seconds, 'segundo', 'segundos')}.`
  return { name: 'Este servidor', state: stateOf(delay.p99Ms > slowEventLoopMs), text }
}

function failures({ failures: recent, at }: SystemStatus): HealthCheck {
  const name = 'Falhas deste servidor'
  const [last] = recent
  if (!last) return { name, state: 'fine', text: 'Nenhuma desde que ele está no ar.' }
  const secondsAgo = (Date.parse(at) - Date.parse(last.lastAt)) / 1000
  const text = `A última em ${formatDateTime(last.lastAt)}: ${failureMessages[last.message] ?? last.message}.`
  return { name, state: stateOf(secondsAgo < recentFailureSeconds), text }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
