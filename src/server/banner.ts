// Builds the text that the terminal shows once the server is listening.
import { relative } from 'node:path'
import type { Site } from '#contract/site.ts'
import { sheetAddress, sheetFolder } from '#server/adapters/sheets/open.ts'
import { type Config, defaultSheetsUrl } from '#server/core/config.ts'
import { findSampleSettings } from '#server/core/sample-settings.ts'
import { secretsFile } from '#server/core/secrets.ts'
import type { FirstAdministrator } from '#server/features/admin/first-administrator.ts'
import { localEmailFolder } from '#server/outbox/email/email-handler.ts'

interface BannerInput {
  config: Config
  site: Site
  port: number
  administrator: FirstAdministrator
  seconds: number
}

export function formatBanner({ config, site, port, administrator, seconds }: BannerInput): string {
  const embedded = config.databaseUrl === undefined
  const address = `http://localhost:${port}`
  const lines = [
    `Mobiliza no ar em ${seconds.toFixed(1).replace('.', ',')} s`,
    '',
    `  Site           ${address}`,
    ...(config.publicUrl === address ? [] : [`  Endereço       ${config.publicUrl}`]),
    `  Administração  ${address}/admin`,
    ...administratorLines(config, administrator).map((line) => `                 ${line}`),
    `  Dados          ${embedded ? `${displayPath(config.dataDir)} (banco embutido)` : 'PostgreSQL de DATABASE_URL'}`,
    `  E-mails        ${emailsLine(config)}`,
    `  Planilha       ${sheetLine(config)}`,
    ...(config.dataKey ? [] : keyWarning),
    ...(config.publicUrl.startsWith('http://localhost') ? addressWarning : []),
    ...sampleLines(config, site),
    '',
    '  Para parar: Ctrl+C',
    '',
  ]
  return `\n${lines.join('\n')}\n`
}

/** Relative for paths inside the project folder, absolute for all others. */
function displayPath(path: string): string {
  const relativePath = relative('.', path)
  return relativePath.startsWith('..') ? path : relativePath || '.'
}

function emailsLine({ deliveries, smtpUrl, dataDir }: Config): string {
  if (!deliveries) return 'nada é enviado por este processo (DELIVERIES=off)'
  // Only the host: the URL may contain a user and a password.
  if (smtpUrl) return `por SMTP, ${new URL(smtpUrl).host}`
  return `em arquivos, ${displayPath(localEmailFolder({ dataDir }))} (para enviar de verdade: SMTP_URL)`
}

function sheetLine(config: Config): string {
  const { deliveries, googleSheetsId, googleSheetsUrl, dataDir } = config
  if (!deliveries) return 'nada é gravado por este processo (DELIVERIES=off)'
  if (googleSheetsId) return `${googleSheetsUrl === defaultSheetsUrl ? 'Google' : 'de prova'}, ${sheetAddress(config)}`
  return `em arquivos CSV, ${displayPath(sheetFolder({ dataDir }))} (para uma planilha do Google: GOOGLE_SHEETS_ID)`
}

const addressWarning = [
  '',
  '  Os links de compartilhamento saem com este endereço local. Antes de divulgar, defina PUBLIC_URL.',
]

const keyWarning = [
  '',
  '  Falta DATA_KEY, a chave que cifra os dados reservados: sem ela o formulário de líderes fica fechado.',
  '  Crie uma com openssl rand -base64 32, defina DATA_KEY e guarde-a também fora deste servidor:',
  '  quem perde a chave perde os CPFs guardados.',
]

/** The settings that the operator still has to change, wrapped to the width of a terminal. */
function sampleLines(config: Config, site: Site): string[] {
  const keys = findSampleSettings(site, config).map(({ key }) => key)
  if (keys.length === 0) return []
  const lines: string[] = []
  for (const key of keys) {
    const line = [lines.at(-1), key].filter(Boolean).join(', ')
    if (lines.length > 0 && line.length <= 76) lines[lines.length - 1] = line
    else lines.push(key)
  }
  return [
    '',
    '  Ainda com dados de exemplo; troque antes de divulgar (SITE_FILE, variáveis de ambiente ou .env):',
    ...lines.map((line, index) => `    ${line}${index < lines.length - 1 ? ',' : ''}`),
  ]
}

function administratorLines(config: Config, administrator: FirstAdministrator): string[] {
  const { username, password, generated } = config.admin
  const file = displayPath(secretsFile(config))
  switch (administrator) {
    case 'created':
      return generated
        ? [
            `primeiro acesso: usuário ${username}, senha ${password}`,
            `(guardada em ${file}; o site pede outra ao entrar)`,
          ]
        : [`primeiro acesso: usuário ${username}, senha de ADMIN_PASSWORD`]
    case 'existing':
      return generated ? [`usuário ${username}; a primeira senha está em ${file}`] : []
    case 'missing':
      return ['ainda sem administrador: defina ADMIN_PASSWORD e inicie de novo']
  }
}
