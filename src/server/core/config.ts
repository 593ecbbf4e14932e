// The only module that reads the environment. An invalid setting stops the start with its name and an example.
import { createPrivateKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { RetentionPeriods } from '#contract/retention.ts'
import { readSmtpAddress } from '#server/core/smtp-address.ts'
import { weaknessOf } from '#server/core/weak-key.ts'

export interface Config {
  port: number
  host: string
  publicUrl: string
  dataDir: string
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** For migrations, when `databaseUrl` is a pooler in transaction mode. */
  databaseDirectUrl: string | undefined
  /** The role that owns the tables, for migrations and restores, when the role of `databaseUrl` may not change them. */
  databaseOwnerUrl: string | undefined
  dataKey: string | undefined
  /** Keys that decrypt stored values, and encrypt nothing. */
  previousDataKeys: string[]
  /** The file that `dataKey` is from, if it is not from the environment. */
  secretsFile?: string
  /** Encrypts backups. Absent: they are not encrypted. */
  backupKey: string | undefined
  siteFile: string | undefined
  admin: {
    username: string
    password: string | undefined
    email: string
    /** The password was generated and is stored in the data folder. */
    generated?: boolean
  }
  /** `required`: accounts without a second factor can only set one up. */
  secondFactor: 'optional' | 'required'
  /** Off: this node delivers nothing; its deliveries wait in the queue for other nodes. */
  deliveries: boolean
  smtpUrl: string | undefined
  emailFrom: string
  /** How many e-mails all nodes together may start to send per minute. */
  emailsPerMinute: number
  /** How many e-mails to addresses that have just been typed into a form all nodes together may send per hour. */
  firstEmailsPerHour: number
  /** After these periods personal data is erased. That of signatures begins at the end of the campaign. */
  retention: RetentionPeriods
  /** Key that signs e-mails, for SMTP servers that do not sign them. */
  dkim: { domain: string; selector: string; keyFile: string } | undefined
  googleSheetsId: string | undefined
  googleServiceAccount: string | undefined
  /** Base URL of the Google Sheets API; a fake server in development and tests. */
  googleSheetsUrl: string
  botconversaWebhookToken: string | undefined
  /** Secret with which the e-mail provider signs its reports of bounces and complaints. */
  emailWebhookSecret: string | undefined
  trustProxy: false | string[]
  /** Absent: metrics are disabled. */
  metricsToken: string | undefined
  /** Off: browsers remove the service worker that opens petition pages offline, and its cache. */
  serviceWorker: boolean
  logLevel: string
}

export const defaultSheetsUrl = 'https://sheets.googleapis.com'

/** Lists all invalid settings at once, in Portuguese for the operator. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`Configuração inválida:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

type Environment = Record<string, string | undefined>

export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = []

  /** Empty counts as absent. `read` returns undefined for an invalid text. */
  function setting<T>(name: string, fallback: T, read: (text: string) => T | undefined, example: string): T {
    const text = environment[name]?.trim()
    if (!text) return fallback
    const value = read(text)
    if (value !== undefined) return value
    problems.push(`${name} não foi aceita. Exemplo: ${name}=${example}`)
    return fallback
  }
  const anyText = (text: string) => text
  const longEnough = (length: number) => (text: string) => (text.length >= length ? text : undefined)
  const existingFile = (text: string) => (existsSync(text) ? resolve(text) : undefined)
  const none = undefined as string | undefined
  const days = (name: string) => setting<number | null>(name, null, wholeNumber(30, 36_500), '730')

  const port = setting('PORT', 3000, portNumber, '3000')
  const config: Config = {
    port,
    host: setting('HOST', '0.0.0.0', hostName, '127.0.0.1'),
    publicUrl: setting('PUBLIC_URL', `http://localhost:${port}`, origin, 'https://mobiliza.example.org'),
    dataDir: resolve(setting('DATA_DIR', './data', anyText, './data')),
    databaseUrl: setting('DATABASE_URL', none, postgresUrl, 'postgres://usuario:senha@localhost:5432/mobiliza'),
    databaseDirectUrl: setting(
      'DATABASE_DIRECT_URL',
      none,
      postgresUrl,
      'postgres://usuario:senha@localhost:5432/mobiliza',
    ),
    databaseOwnerUrl: setting('DATABASE_OWNER_URL', none, postgresUrl, 'postgres://dono:senha@localhost:5432/mobiliza'),
    dataKey: setting('DATA_KEY', none, base64Key, '32 bytes em base64 (openssl rand -base64 32)'),
    previousDataKeys: setting<string[]>(
      'DATA_KEY_PREVIOUS',
      [],
      base64Keys,
      'a chave antiga (várias, separadas por vírgula)',
    ),
    backupKey: setting('BACKUP_KEY', none, base64Key, '32 bytes em base64 (openssl rand -base64 32)'),
    siteFile: setting('SITE_FILE', none, existingFile, './site.json (um arquivo que existe)'),
    admin: {
      username: setting(
        'ADMIN_USERNAME',
        'admin',
        (text) => (/^[\w.@-]{1,50}$/.test(text) ? text : undefined),
        'admin',
      ),
      password: setting('ADMIN_PASSWORD', none, longEnough(10), 'uma senha com pelo menos 10 caracteres'),
      email: setting('ADMIN_EMAIL', 'admin@example.org', emailAddress, 'admin@example.org'),
    },
    secondFactor: setting<Config['secondFactor']>(
      'SECOND_FACTOR',
      'optional',
      (text) => (text === 'optional' || text === 'required' ? text : undefined),
      'required (optional ou required)',
    ),
    deliveries: setting('DELIVERIES', true, onOrOff, 'off (on ou off)'),
    smtpUrl: setting(
      'SMTP_URL',
      none,
      (text) => (readSmtpAddress(text) ? text : undefined),
      'smtps://usuario:senha@smtp.example.org',
    ),
    emailFrom: setting('EMAIL_FROM', 'nao-responda@example.org', emailAddress, 'nao-responda@example.org'),
    emailsPerMinute: setting('EMAILS_PER_MINUTE', 600, wholeNumber(1, 1_000_000), '600'),
    firstEmailsPerHour: setting('FIRST_EMAILS_PER_HOUR', 0, wholeNumber(1, 60_000_000), '18000'),
    retention: {
      assinaturas: days('KEEP_SIGNATURES_DAYS'),
      voluntarios: days('KEEP_VOLUNTEERS_DAYS'),
      influenciadores: days('KEEP_INFLUENCERS_DAYS'),
      lideres: days('KEEP_LEADERS_DAYS'),
      mensagens: days('RETENTION_DAYS'),
    },
    dkim: undefined,
    googleSheetsId: setting('GOOGLE_SHEETS_ID', none, sheetId, 'o código que está no endereço da planilha'),
    googleServiceAccount: setting(
      'GOOGLE_SERVICE_ACCOUNT',
      none,
      serviceAccountFile,
      './conta-de-servico.json (o arquivo de chave, como o Google o entregou)',
    ),
    googleSheetsUrl: setting('GOOGLE_SHEETS_URL', defaultSheetsUrl, origin, 'http://127.0.0.1:4000'),
    botconversaWebhookToken: setting(
      'BOTCONVERSA_WEBHOOK_TOKEN',
      none,
      longEnough(16),
      'um segredo com pelo menos 16 caracteres',
    ),
    emailWebhookSecret: setting(
      'EMAIL_WEBHOOK_SECRET',
      none,
      longEnough(16),
      'o segredo que o provedor de e-mail mostra, com pelo menos 16 caracteres',
    ),
    trustProxy: setting<Config['trustProxy']>(
      'TRUST_PROXY',
      false,
      proxies,
      '127.0.0.1 (endereços separados por vírgula)',
    ),
    metricsToken: setting('METRICS_TOKEN', none, longEnough(16), 'um segredo com pelo menos 16 caracteres'),
    serviceWorker: setting('SERVICE_WORKER', true, onOrOff, 'off (on ou off)'),
    logLevel: setting('LOG_LEVEL', 'warn', logLevel, 'warn (fatal, error, warn, info, debug, trace ou silent)'),
  }
  const weakness = config.dataKey && weaknessOf(config.dataKey)
  if (weakness) problems.push(weakKeyProblem('DATA_KEY', weakness))
  const backupWeakness = config.backupKey && weaknessOf(config.backupKey)
  if (backupWeakness) problems.push(weakKeyProblem('BACKUP_KEY', backupWeakness))
  const [domain, selector, keyFile] = [
    setting('DKIM_DOMAIN', none, domainName, 'example.org'),
    setting('DKIM_SELECTOR', none, domainName, 'mobiliza'),
    setting('DKIM_KEY_FILE', none, privateKeyFile, './dkim.pem (uma chave RSA privada)'),
  ]
  if (domain && selector && keyFile) config.dkim = { domain, selector, keyFile }
  else if (problems.length === 0 && (domain || selector || keyFile)) {
    problems.push('DKIM_DOMAIN, DKIM_SELECTOR e DKIM_KEY_FILE só fazem sentido os três juntos')
  }
  // Half of what the e-mail server takes, so that the other half is left for everything else.
  if (config.firstEmailsPerHour === 0) config.firstEmailsPerHour = 30 * config.emailsPerMinute
  if (config.smtpUrl && !environment.EMAIL_FROM?.trim()) {
    problems.push('SMTP_URL precisa de EMAIL_FROM, o remetente. Exemplo: EMAIL_FROM=nao-responda@example.org')
  }
  if (config.smtpUrl && !environment.PUBLIC_URL?.trim()) {
    problems.push(
      'SMTP_URL precisa de PUBLIC_URL: os links dos e-mails saem dele. Exemplo: PUBLIC_URL=https://mobiliza.example.org',
    )
  }
  // With the embedded database the key is generated.
  if (config.secondFactor === 'required' && config.databaseUrl && !config.dataKey) {
    problems.push('SECOND_FACTOR=required precisa de DATA_KEY: ela cifra os segredos dos aplicativos')
  }
  if (config.databaseDirectUrl && !config.databaseUrl) {
    problems.push('DATABASE_DIRECT_URL só faz sentido junto com DATABASE_URL')
  }
  if (config.databaseOwnerUrl) {
    if (!config.databaseUrl) problems.push('DATABASE_OWNER_URL só faz sentido junto com DATABASE_URL')
    else if (new URL(config.databaseOwnerUrl).username === new URL(config.databaseUrl).username)
      problems.push('DATABASE_OWNER_URL e DATABASE_URL precisam de usuários diferentes (deploy/postgresql/roles.sql)')
  }
  if (config.googleSheetsId && !config.googleServiceAccount) {
    problems.push(
      'GOOGLE_SHEETS_ID precisa de GOOGLE_SERVICE_ACCOUNT. Exemplo: GOOGLE_SERVICE_ACCOUNT=./conta-de-servico.json',
    )
  }
  if (config.googleServiceAccount && !config.googleSheetsId) {
    problems.push('GOOGLE_SERVICE_ACCOUNT precisa de GOOGLE_SHEETS_ID: o código que está no endereço da planilha')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** `place` is the setting or the file that contains the key. */
export function weakKeyProblem(place: string, weakness: string): string {
  const former = place.startsWith('DATA_KEY')
    ? '. Se há dados guardados com a chave fraca, ponha-a em DATA_KEY_PREVIOUS e rode npm run rotate-key'
    : ''
  return `${place} tem uma chave fraca (${weakness}). Crie uma com este comando: openssl rand -base64 32${former}`
}

function portNumber(text: string): number | undefined {
  const port = Number(text)
  return Number.isInteger(port) && port >= 0 && port <= 65535 ? port : undefined
}

function hostName(text: string): string | undefined {
  return isIP(text) || /^[a-z0-9.-]+$/i.test(text) ? text : undefined
}

function urlWith(protocols: string[], text: string): string | undefined {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined
}

function origin(text: string): string | undefined {
  if (!urlWith(['http:', 'https:'], text)) return undefined
  const url = new URL(text)
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined
}

function postgresUrl(text: string): string | undefined {
  return urlWith(['postgres:', 'postgresql:'], text)
}

function base64Key(text: string): string | undefined {
  return Buffer.from(text, 'base64').length === 32 ? text : undefined
}

function base64Keys(text: string): string[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every(base64Key) ? keys : undefined
}

function emailAddress(text: string): string | undefined {
  return text.length <= 100 && /^[^\s@<>]+@[^\s@<>]+$/.test(text) ? text : undefined
}

/** Accepts the id, or the full URL as copied from the browser. */
function sheetId(text: string): string | undefined {
  const [, id = text] = /\/spreadsheets\/d\/([^/?#]+)/.exec(text) ?? []
  return /^[\w-]{10,150}$/.test(id) ? id : undefined
}

function serviceAccountFile(path: string): string | undefined {
  try {
    const { client_email, private_key, token_uri } = JSON.parse(readFileSync(path, 'utf8'))
    const complete =
      typeof client_email === 'string' &&
      urlWith(['http:', 'https:'], token_uri) !== undefined &&
      createPrivateKey(private_key).asymmetricKeyType === 'rsa'
    return complete ? resolve(path) : undefined
  } catch {
    return undefined
  }
}

function privateKeyFile(path: string): string | undefined {
  try {
    return createPrivateKey(readFileSync(path)).asymmetricKeyType === 'rsa' ? resolve(path) : undefined
  } catch {
    return undefined
  }
}

function domainName(text: string): string | undefined {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) ? text : undefined
}

function wholeNumber(min: number, max: number) {
  return (text: string) => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined)
}

function proxies(text: string): string[] | undefined {
  const addresses = text.split(',').map((address) => address.trim())
  return addresses.every(isAddressRange) ? addresses : undefined
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version !== 0 && fits && rest.length === 0
}

function onOrOff(text: string): boolean | undefined {
  return text === 'on' ? true : text === 'off' ? false : undefined
}

function logLevel(text: string): string | undefined {
  return ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(text) ? text : undefined
}
