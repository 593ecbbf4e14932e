// Secrets that are not configured: generated once and stored in the data folder, readable only by its owner.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError, weakKeyProblem } from '#server/core/config.ts'
import { fsyncPath } from '#server/core/fsync.ts'
import { randomPassword } from '#server/core/passwords.ts'
import { weaknessOf } from '#server/core/weak-key.ts'

interface Secrets {
  DATA_KEY: string
  /** Only while `npm run rotate-key` replaces this key. */
  DATA_KEY_PREVIOUS?: string
  ADMIN_PASSWORD: string
  BOTCONVERSA_WEBHOOK_TOKEN: string
}

export function secretsFile(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'segredos.json')
}

/** Fills in missing secrets from the data folder. */
export function withSecrets(config: Config): Config {
  const file = secretsFile(config)
  const secrets = readSecrets(file) ?? createSecrets(file)
  const { DATA_KEY, DATA_KEY_PREVIOUS } = secrets
  return {
    ...config,
    ...(!config.dataKey && {
      dataKey: DATA_KEY,
      previousDataKeys: [...(DATA_KEY_PREVIOUS ? [DATA_KEY_PREVIOUS] : []), ...config.previousDataKeys],
      secretsFile: file,
    }),
    admin: config.admin.password
      ? config.admin
      : { ...config.admin, password: secrets.ADMIN_PASSWORD, generated: true },
    botconversaWebhookToken: config.botconversaWebhookToken ?? secrets.BOTCONVERSA_WEBHOOK_TOKEN,
  }
}

/** The keys in the file, while a server is running. Undefined: the file cannot be read now. */
export function readDataKeys(file: string): { dataKey: string; previous: string[] } | undefined {
  try {
    const secrets = parse(readFileSync(file, 'utf8'))
    return (
      secrets && {
        dataKey: secrets.DATA_KEY,
        previous: secrets.DATA_KEY_PREVIOUS ? [secrets.DATA_KEY_PREVIOUS] : [],
      }
    )
  } catch {
    return undefined
  }
}

/**
 * Puts a new key into the file and keeps the present one as the previous key. Does nothing if a replacement was
 * interrupted before: its values may be encrypted with either key.
 */
export function beginKeyReplacement(file: string): void {
  const secrets = requireSecrets(file)
  if (secrets.DATA_KEY_PREVIOUS) return
  writeSecrets(file, { ...secrets, DATA_KEY: newDataKey(), DATA_KEY_PREVIOUS: secrets.DATA_KEY })
}

/** Removes the previous key. To be called when nothing is encrypted with it. */
export function endKeyReplacement(file: string): void {
  const { DATA_KEY_PREVIOUS: _, ...secrets } = requireSecrets(file)
  writeSecrets(file, secrets)
}

const newDataKey = () => randomBytes(32).toString('base64')

function requireSecrets(file: string): Secrets {
  const secrets = readSecrets(file)
  if (!secrets) throw new ConfigError([`${file} não existe: inicie o site uma vez antes`])
  return secrets
}

function readSecrets(file: string): Secrets | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError([`não foi possível ler ${file}`])
  }
  const secrets = parse(text)
  // A new key would make stored data unreadable, so the operator must decide.
  if (!secrets) throw new ConfigError([`${file} está corrompido: recupere-o de uma cópia de segurança`])
  const weakness = weaknessOf(secrets.DATA_KEY)
  if (weakness) throw new ConfigError([weakKeyProblem(`DATA_KEY em ${file}`, weakness)])
  return secrets
}

function createSecrets(file: string): Secrets {
  const secrets: Secrets = {
    DATA_KEY: newDataKey(),
    ADMIN_PASSWORD: randomPassword(),
    BOTCONVERSA_WEBHOOK_TOKEN: randomBytes(24).toString('base64url'),
  }
  mkdirSync(dirname(file), { recursive: true })
  writeSecrets(file, secrets)
  return secrets
}

function writeSecrets(file: string, secrets: Secrets): void {
  // On disk before anything is encrypted: a power cut must not leave CPFs without their key.
  writeFileSync(`${file}.novo`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.novo`, file)
  fsyncPath(dirname(file))
}

function parse(text: string): Secrets | undefined {
  try {
    const { DATA_KEY, DATA_KEY_PREVIOUS, ADMIN_PASSWORD, BOTCONVERSA_WEBHOOK_TOKEN } = JSON.parse(text)
    const complete = [DATA_KEY, ADMIN_PASSWORD, BOTCONVERSA_WEBHOOK_TOKEN].every(
      (secret) => typeof secret === 'string' && secret,
    )
    if (!complete) return undefined
    const previous = typeof DATA_KEY_PREVIOUS === 'string' && DATA_KEY_PREVIOUS ? { DATA_KEY_PREVIOUS } : {}
    return { DATA_KEY, ...previous, ADMIN_PASSWORD, BOTCONVERSA_WEBHOOK_TOKEN }
  } catch {
    return undefined
  }
}
