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
  ADMIN_PASSWORD: string
  BOTCONVERSA_WEBHOOK_TOKEN: string
}

export function secretsFile(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'segredos.json')
}

/** Fills in missing secrets from the data folder. */
export function withSecrets(config: Config): Config {
  const file = secretsFile(config)
  const secrets = readSecrets(file) ?? writeSecrets(file)
  return {
    ...config,
    dataKey: config.dataKey ?? secrets.DATA_KEY,
    admin: config.admin.password
      ? config.admin
      : { ...config.admin, password: secrets.ADMIN_PASSWORD, generated: true },
    botconversaWebhookToken: config.botconversaWebhookToken ?? secrets.BOTCONVERSA_WEBHOOK_TOKEN,
  }
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

function writeSecrets(file: string): Secrets {
  const secrets: Secrets = {
    DATA_KEY: randomBytes(32).toString('base64'),
    ADMIN_PASSWORD: randomPassword(),
    BOTCONVERSA_WEBHOOK_TOKEN: randomBytes(24).toString('base64url'),
  }
  mkdirSync(dirname(file), { recursive: true })
  // On disk before anything is encrypted: a power cut must not leave CPFs without their key.
  writeFileSync(`${file}.novo`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.novo`, file)
  fsyncPath(dirname(file))
  return secrets
}

function parse(text: string): Secrets | undefined {
  try {
    const { DATA_KEY, ADMIN_PASSWORD, BOTCONVERSA_WEBHOOK_TOKEN } = JSON.parse(text)
    const complete = [DATA_KEY, ADMIN_PASSWORD, BOTCONVERSA_WEBHOOK_TOKEN].every(
      (secret) => typeof secret === 'string' && secret,
    )
    return complete ? { DATA_KEY, ADMIN_PASSWORD, BOTCONVERSA_WEBHOOK_TOKEN } : undefined
  } catch {
    return undefined
  }
}
