// Health checks, failure texts and number formats of the admin area.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { SystemStatus } from '#contract/admin/system.ts'
import { csvOf } from '#web/admin/numbers/csv.ts'
import { whatsappChatUrl } from '#web/admin/people/people-labels.ts'
import { failureMessages } from '#web/admin/system/failure-messages.ts'
import { checkHealth } from '#web/admin/system/health-checks.ts'
import { formatBytes, formatDuration, formatPercent, pluralize } from '#web/admin/ui/format-number.ts'

const fine: SystemStatus = {
  success: true,
  at: '2026-11-15T12:00:00Z',
  database: { engine: 'postgres', version: '17.2', answerMs: 1.5, sizeBytes: 5_000_000 },
  migrations: { applied: 5, pending: 0, unknown: 0 },
  disk: { freeBytes: 50e9, totalBytes: 100e9 },
  deliveries: { here: true, waiting: 3, oldestSeconds: 2, parked: 0, reasons: [], emailsAway: null, heldEmails: null },
  email: 'smtp',
  leaderForm: 'open',
  sampleSettings: [],
  spreadsheet: { kind: 'google', address: 'x', waiting: 0, lastSuccess: null, lastFailure: null, failing: false },
  failures: [],
  retention: { assinaturas: 365, voluntarios: 730, influenciadores: null, lideres: null, mensagens: 100 },
  node: {
    ...{ version: '1.0.0', runtime: 'Node 24.0.0', since: '2026-11-15T11:00:00Z', memoryBytes: 200e6 },
    delay: { p99Ms: 5, maxMs: 20, seconds: 30 },
  },
}
const emptyQueue = {
  here: true,
  waiting: 0,
  oldestSeconds: 0,
  parked: 0,
  reasons: [],
  emailsAway: null,
  heldEmails: null,
}
const stateOf = (name: string, changes: Partial<SystemStatus>) =>
  checkHealth({ ...fine, ...changes }).find((part) => part.name === name)?.state

test('every health check of a healthy system is "fine"', () => {
  expect(checkHealth(fine).map(({ state }) => state)).toEqual(Array(11).fill('fine'))
})

test('the system page lists the retention periods', () => {
  const textOf = (retention: SystemStatus['retention']) =>
    checkHealth({ ...fine, retention }).find(({ name }) => name === 'Prazos de guarda')?.text
  expect(textOf(fine.retention)).toBe(
    'O site apaga: assinaturas, 1\u00a0ano depois do fim da campanha; voluntários, 2\u00a0anos depois do cadastro; mensagens do robô, 100\u00a0dias depois de chegarem. Sem prazo: influenciadores e líderes.',
  )
  const none = { assinaturas: null, voluntarios: null, influenciadores: null, lideres: null, mensagens: null }
  expect(textOf(none)).toBe('Nada é apagado por data.')
})

test('no health text refers to the page Sistema, which shows these texts itself', () => {
  const sampleSettings = ['contato.email', 'hashtag'].map((key) => ({ key, value: 'x' }))
  const text = checkHealth({ ...fine, sampleSettings }).map((part) => part.text)
  expect(text).toContain('2 dados ainda são de exemplo e precisam ser trocados.')
  expect(text.filter((text) => /em Sistema/.test(text))).toEqual([])
})

test('a value that could not be read is "unknown", never "fine"', () => {
  const unreadable = { database: null, migrations: null, disk: null, deliveries: null, spreadsheet: null }
  expect(checkHealth({ ...fine, ...unreadable }).filter(({ state }) => state === 'unknown')).toHaveLength(6)
})

test.each([
  ['Banco de dados', { database: { engine: 'postgres', version: '17', answerMs: 900, sizeBytes: 1 } }],
  ['Banco de dados', { database: { engine: 'embedded', version: '17', answerMs: 900, sizeBytes: 1 } }],
  ['Migrações', { migrations: { applied: 4, pending: 1, unknown: 0 } }],
  ['Migrações', { migrations: { applied: 6, pending: 0, unknown: 1 } }],
  ['Disco da pasta de dados', { disk: { freeBytes: 5e8, totalBytes: 100e9 } }],
  ['Fila de entregas', { deliveries: { ...emptyQueue, parked: 1 } }],
  ['Fila de entregas', { deliveries: { ...emptyQueue, waiting: 9, oldestSeconds: 3_600 } }],
  [
    'E-mails',
    { deliveries: { ...emptyQueue, heldEmails: { waiting: 9, until: '2026-11-15T12:01:00Z', perHour: 18_000 } } },
  ],
  ['E-mails', { deliveries: { ...emptyQueue, emailsAway: { at: '2026-11-15T11:59:00Z', reason: 'Ninguém atende.' } } }],
  [
    'Falhas deste servidor',
    {
      failures: [{ message: 'destination away', error: '', route: null, times: 1, lastAt: '2026-11-15T11:50:00Z' }],
    },
  ],
  ['E-mails', { email: 'local' }],
  ['Formulário de líderes', { leaderForm: 'closed' }],
  ['Dados do movimento', { sampleSettings: [{ key: 'contato.email', value: 'contato@example.org' }] }],
  [
    'Planilha',
    {
      spreadsheet: {
        ...{ kind: 'google', address: 'x', waiting: 9, lastSuccess: null, failing: true },
        lastFailure: { at: '2026-11-15T11:00:00Z', reason: 'Sem permissão.' },
      },
    },
  ],
  ['Este servidor', { node: { ...fine.node, delay: { p99Ms: 900, maxMs: 2_000, seconds: 30 } } }],
] as [string, Partial<SystemStatus>][])('needs attention: %s', (name, changes) => {
  expect(stateOf(name, changes)).toBe('look')
})

test('the embedded database needs no attention', () => {
  const embedded = { engine: 'embedded', version: '17', answerMs: 1, sizeBytes: 1 } as const
  expect(stateOf('Banco de dados', { database: embedded })).toBe('fine')
})

test('an old failure is listed but needs no attention', () => {
  const old = { message: 'page served stale', error: '', route: null, times: 3, lastAt: '2026-11-15T11:30:00Z' }
  const part = checkHealth({ ...fine, failures: [old] }).find(({ name }) => name === 'Falhas deste servidor')
  expect(part).toMatchObject({ state: 'fine', text: expect.stringContaining('Página servida como estava antes.') })
})

test('the check of a closed leaders’ form names the setting to change', () => {
  const { text } =
    checkHealth({ ...fine, leaderForm: 'closed' }).find(({ name }) => name === 'Formulário de líderes') ?? {}
  expect(text).toMatch(/recusado.*Defina DATA_KEY/)
})

test('every logged warning and error has a Portuguese text and can be kept in the list of failures', () => {
  const server = fileURLToPath(new URL('../../src/server', import.meta.url))
  const calls = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(join(server, file), 'utf8')
        .split(/\blog\.(?:warn|error|fatal)\(/)
        .slice(1),
    )
  // Each call must pass an object and then a constant text. Otherwise the failure is not kept, or its text has no
  // Portuguese version.
  const messages = calls.map((call) => /^\s*\{[^}]*\},\s*'([^']+)'/.exec(call)?.[1] ?? call.slice(0, 80))
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((message) => !failureMessages[message])).toEqual([])
  const unused = Object.keys(failureMessages).filter((message) => !messages.includes(message))
  expect(unused).toEqual([])
})

test('amounts are formatted in Portuguese', () => {
  expect(pluralize(0, 'assinatura', 'assinaturas')).toBe('0 assinaturas')
  expect(pluralize(1, 'assinatura', 'assinaturas')).toBe('1 assinatura')
  expect(formatPercent(1, 3)).toBe('33,3%')
  expect(formatPercent(0, 0)).toBe('–')
  expect(formatBytes(0)).toBe('0 bytes')
  expect(formatBytes(1_572_864)).toBe('1,5 MB')
  expect([45, 600, 7_200, 200_000].map(formatDuration)).toEqual(['45 segundos', '10 minutos', '2 horas', '2 dias'])
})

test('a CSV file escapes texts that would be read as formulas', () => {
  const text = csvOf(
    ['Cidade', 'Por 100 mil'],
    [
      ['=1+1', 1.5],
      [' @x', 2],
      ['a;"b"', 3],
      ['＝x', 4],
      ['São Paulo', 5],
    ],
  )
  expect(text.split('\r\n')).toEqual([
    ...['\uFEFFCidade;Por 100 mil', "'=1+1;1,5", "' @x;2", '"a;""b""";3', "'＝x;4", 'São Paulo;5', ''],
  ])
})

test('a WhatsApp chat opens with 55 and the first name, and not with a number that WhatsApp cannot reach', () => {
  const urlOf = (whatsapp: string) => whatsappChatUrl({ nome: 'Fulana de Tal', whatsapp }, 'Oi, {nome}! 100%')
  const text = '?text=Oi%2C%20Fulana!%20100%25'
  expect(urlOf('+1 (212) 555-0100')).toBe(`https://wa.me/12125550100${text}`)
  for (const whatsapp of ['+55 (71) 98811-2233', '55 71 98811-2233', '(71) 98811-2233', '71988112233'])
    expect(urlOf(whatsapp)).toBe(`https://wa.me/5571988112233${text}`)
  for (const whatsapp of ['98811-2233', '(00) 00000-0000', '']) expect(urlOf(whatsapp)).toBeUndefined()
})
