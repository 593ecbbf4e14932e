// Keeping a text unreadable in the database, and finding equal ones without reading them. Knows nothing of what the text is.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Encryption {
  /** Only who names the same owner can read it again: a copy pasted into another row is refused. */
  encrypt(text: string, owner: string): Buffer
  decrypt(encrypted: Uint8Array, owner: string): string
  /** The same for equal texts. Useless without the key, even for a text with as few possibilities as a CPF. */
  indexOf(text: string): Buffer
}

// The first byte of what is stored, so that another way can come without losing what was written in this one.
const version = 1
const ivBytes = 12
const tagBytes = 16
const headBytes = 1 + ivBytes + tagBytes

/** `secret` is 32 bytes in base64. Each use has a key of its own, derived from it. */
export function createEncryption(secret: string): Encryption {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), '', `mobiliza ${use}`, 32))
  const key = derive('encryption')
  const indexKey = derive('index')
  const boundTo = (owner: string) => Buffer.concat([Buffer.of(version), Buffer.from(owner)])

  return {
    encrypt(text, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(boundTo(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body])
    },
    decrypt(encrypted, owner) {
      if (encrypted[0] !== version || encrypted.length < headBytes) throw new Error('not encrypted by this version')
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(1, 1 + ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(boundTo(owner)).setAuthTag(encrypted.subarray(1 + ivBytes, headBytes))
      return decipher.update(encrypted.subarray(headBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    indexOf: (text) => createHmac('sha256', indexKey).update(text).digest(),
  }
}
