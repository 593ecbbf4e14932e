// Secrets of the link to a person's own data. Only the holder of the link can read the address that is stored with it.
import { hash } from 'node:crypto'
import { createEncryption } from '#server/core/encryption.ts'

const purpose = 'meus-dados'

export const sealAddress = (secret: string, email: string): Buffer => createEncryption(secret).encrypt(email, purpose)

export const openAddress = (secret: string, sealed: Uint8Array): string =>
  createEncryption(secret).decrypt(sealed, purpose)

/** The secret of the unsubscribe link of the same e-mail, so that the page of the person's data can lead to it. */
export const preferencesSecretOf = (secret: string): string =>
  hash('sha256', `preferencias ${secret}`, 'base64url').slice(0, 22)
