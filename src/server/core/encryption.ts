// Encrypts texts for the database, and gives a blind index to find equal texts without decryption.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Encryption {
  /** The result can be decrypted only with the same `owner`: a copy in another row is rejected. */
  encrypt(text: string, owner: string): Buffer
  decrypt(encrypted: Uint8Array, owner: string): string
  /** Equal for equal texts. Useless without the key, even for texts with few possible values, such as a CPF. */
  indexOf(text: string): Buffer
}

// First byte of the stored value, so that the format can change without losing old values.
const version = 1
const ivBytes = 12
const tagBytes = 16
const headBytes = 1 + ivBytes + tagBytes

/** `secret` is 32 bytes in base64. Each purpose has its own key, derived from it. */
export function createEncryption(secret: string): Encryption {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), '', `mobiliza ${purpose}`, 32))
  const key = derive('encryption')
  const indexKey = derive('index')
  const additionalData = (owner: string) => Buffer.concat([Buffer.of(version), Buffer.from(owner)])

  return {
    encrypt(text, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(additionalData(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body])
    },
    decrypt(encrypted, owner) {
      if (encrypted[0] !== version || encrypted.length < headBytes) throw new Error('not encrypted by this version')
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(1, 1 + ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(additionalData(owner)).setAuthTag(encrypted.subarray(1 + ivBytes, headBytes))
      return decipher.update(encrypted.subarray(headBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    indexOf: (text) => createHmac('sha256', indexKey).update(text).digest(),
  }
}
