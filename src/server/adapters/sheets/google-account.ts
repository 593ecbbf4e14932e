import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface GoogleAccount {
  /** The spreadsheet must be shared with this address. */
  email: string
  tokenUri: string
  key: KeyObject
}

/** The file was validated with the settings (config.ts). */
export function readAccount(file: string): GoogleAccount {
  const { client_email, private_key, token_uri } = JSON.parse(readFileSync(file, 'utf8'))
  return { email: client_email, tokenUri: token_uri, key: createPrivateKey(private_key) }
}

const lifetimeSeconds = 3_600
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Body of the access token request: a JWT (RFC 7523) signed with RS256. */
export function tokenRequest({ email, tokenUri, key }: GoogleAccount): URLSearchParams {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: email,
    scope: 'https://www.googleapis.com/auth/spreadsheets',
    aud: tokenUri,
    iat: now,
    exp: now + lifetimeSeconds,
  }
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  const signature = sign('RSA-SHA256', Buffer.from(unsigned), key).toString('base64url')
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${unsigned}.${signature}`,
  })
}
