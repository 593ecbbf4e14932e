// The key of the HMACs that stand for addresses where no address may be stored. An HMAC covers the SHA-256 digest of
// the address. The data folder has a copy of the key, so that a restore can recognise erased people in any backup.
import { createHash, createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { Config } from '#server/core/config.ts'
import { digestOf } from '#server/core/tokens.ts'

export const addressKeyBytes = 32
const blockBytes = 64

type Folder = Pick<Config, 'dataDir'>
const keyFile = ({ dataDir }: Folder) => join(dataDir, 'enderecos.chave')

const hmacOfDigest = (key: Buffer, digest: Buffer) => createHmac('sha256', key).update(digest).digest()
/** `address`: canonical, or a mailbox. */
export const addressHmac = (key: Buffer, address: string) => hmacOfDigest(key, digestOf(address))
/** `address` in any spelling. */
export const mailboxHmac = (key: Buffer, address: string) => addressHmac(key, mailboxOf(canonicalizeEmail(address)))

/** PostgreSQL has no HMAC, but it has the hash function that an HMAC consists of (RFC 2104). */
export function hmacPads(key: Buffer): { inner: Buffer; outer: Buffer } {
  const block = Buffer.concat([key, Buffer.alloc(blockBytes - key.length)])
  return { inner: block.map((byte) => byte ^ 0x36) as Buffer, outer: block.map((byte) => byte ^ 0x5c) as Buffer }
}

/** Recognises a key without containing it. */
export const fingerprintOf = (key: Buffer) => createHash('sha256').update('mobiliza address key').update(key).digest()

/** The keys in the data folder, the newest last: more than one if the folder has served several databases. */
export function readAddressKeys(config: Folder): Buffer[] {
  const file = keyFile(config)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => /^[0-9a-f]{64}$/.test(line)).map((line) => Buffer.from(line, 'hex'))
}

/** Adds a key to the data folder, unless it is there. */
export function keepAddressKey(config: Folder, key: Buffer): void {
  if (readAddressKeys(config).some((kept) => kept.equals(key))) return
  mkdirSync(config.dataDir, { recursive: true })
  // An interrupted write may have left a part of a line. Empty lines are skipped.
  writeFileSync(keyFile(config), `\n${key.toString('hex')}\n`, { mode: 0o600, flush: true, flag: 'a' })
}
