// Encrypts texts for the database, and gives a blind index to find equal texts without decryption.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Config } from '#server/core/config.ts'
import { readDataKeys } from '#server/core/secrets.ts'

export interface Encryption {
  /** The result can be decrypted only with the same `owner`: a copy in another row is rejected. */
  encrypt(text: string, owner: string): Buffer
  /** Also decrypts values of previous keys. */
  decrypt(encrypted: Uint8Array, owner: string): string
  /** Equal for equal texts. Useless without the key, even for texts with few possible values, such as a CPF. */
  indexOf(text: string): Buffer
  /** The first bytes of every value that `encrypt` returns: the version of the format and the id of the current key. */
  prefix: Buffer
}

// First byte of the stored value, so that the format can change without losing old values. Version 1 has no key id.
const firstVersion = 1
const version = 2
const idBytes = 4
const ivBytes = 12
const tagBytes = 16

interface DerivedKey {
  id: Buffer
  encryption: Buffer
  index: Buffer
}

/** `secret` is 32 bytes in base64. Each purpose has its own key, derived from it. */
function deriveKey(secret: string): DerivedKey {
  const derive = (purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), '', `mobiliza ${purpose}`, bytes))
  return { id: derive('key id', idBytes), encryption: derive('encryption'), index: derive('index') }
}

export function createEncryption(secret: string, previous: string[] = []): Encryption {
  const current = deriveKey(secret)
  const keys = [current, ...previous.map(deriveKey)]
  const prefix = Buffer.concat([Buffer.of(version), current.id])

  /** The bytes before the initialization vector, and the keys that the value may be encrypted with. */
  function headOf(encrypted: Uint8Array): { head: Uint8Array; candidates: DerivedKey[] } {
    if (encrypted[0] === firstVersion) return { head: encrypted.subarray(0, 1), candidates: keys }
    const id = encrypted.subarray(1, 1 + idBytes)
    if (encrypted[0] !== version) throw new Error('not encrypted by this version')
    return { head: encrypted.subarray(0, 1 + idBytes), candidates: keys.filter((key) => key.id.equals(id)) }
  }

  return {
    prefix,
    encrypt(text, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', current.encryption, iv, { authTagLength: tagBytes })
      cipher.setAAD(additionalData(prefix, owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([prefix, iv, cipher.getAuthTag(), body])
    },
    decrypt(encrypted, owner) {
      const { head, candidates } = headOf(encrypted)
      for (const key of candidates) {
        const text = tryDecrypt(key, head, { encrypted, owner })
        if (text !== undefined) return text
      }
      throw new Error('encrypted with another key, for another owner, or damaged')
    },
    indexOf: (text) => createHmac('sha256', current.index).update(text).digest(),
  }
}

const additionalData = (head: Uint8Array, owner: string) => Buffer.concat([head, Buffer.from(owner)])

function tryDecrypt(
  key: DerivedKey,
  head: Uint8Array,
  { encrypted, owner }: { encrypted: Uint8Array; owner: string },
): string | undefined {
  const [ivAt, tagAt, bodyAt] = [head.length, head.length + ivBytes, head.length + ivBytes + tagBytes]
  if (encrypted.length < bodyAt) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.encryption, encrypted.subarray(ivAt, tagAt), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(additionalData(head, owner)).setAuthTag(encrypted.subarray(tagAt, bodyAt))
    return decipher.update(encrypted.subarray(bodyAt), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

export type EncryptionKeys = Pick<Config, 'dataKey' | 'previousDataKeys' | 'secretsFile'>

/** Names a key in messages, without revealing it. */
export const keyIdOf = (secret: string) => deriveKey(secret).id.toString('hex')

/**
 * The encryption with the keys of the settings. If they are in the secrets file, it follows the file: `npm run
 * rotate-key` changes it while the site is running.
 */
export function encryptionOf({ dataKey, previousDataKeys, secretsFile }: EncryptionKeys): Encryption | undefined {
  if (!dataKey) return undefined
  let encryption = createEncryption(dataKey, previousDataKeys)
  if (!secretsFile) return encryption
  let seen = ''
  function current(): Encryption {
    const state = stateOf(secretsFile as string)
    // Without the file, the keys that were read last stay in use.
    if (state === undefined || state === seen) return encryption
    const keys = readDataKeys(secretsFile as string)
    // A failed read is repeated at the next use.
    if (!keys) return encryption
    seen = state
    encryption = createEncryption(keys.dataKey, [...keys.previous, ...previousDataKeys])
    return encryption
  }
  return {
    encrypt: (text, owner) => current().encrypt(text, owner),
    decrypt: (encrypted, owner) => current().decrypt(encrypted, owner),
    indexOf: (text) => current().indexOf(text),
    get prefix() {
      return current().prefix
    },
  }
}

/** Changes when the file is replaced. */
function stateOf(file: string): string | undefined {
  const state = statSync(file, { bigint: true, throwIfNoEntry: false })
  return state && `${state.ino} ${state.mtimeNs}`
}
