// Password hashes: scrypt with a salt. The parameters are stored with the hash, so that they can be raised later.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

interface Parameters {
  N: number
  r: number
  p: number
}

// As strong as N = 2^17, p = 1, but with 32 MB of memory instead of 128 (docs/decisions/056).
const cost: Parameters = { N: 2 ** 15, r: 8, p: 3 }
const maxmem = 64 * 1024 * 1024
const keyLength = 32

const workOf = ({ N, r, p }: Parameters) => N * r * p

function derive(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyLength, { ...parameters, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return encodeHash(salt, await derive(password, salt, cost))
}

/** A hash that no password matches. Comparing with it takes as long as with any other. */
export function unmatchableHash(): string {
  return encodeHash(randomBytes(16), randomBytes(keyLength))
}

function encodeHash(salt: Buffer, key: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function decodeHash(hashed: string) {
  const [scheme, N, r, p, salt, key] = hashed.split('$')
  if (scheme !== 'scrypt' || !salt || !key) return undefined
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  return { parameters, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') }
}

export async function passwordMatches(password: string, hashed: string): Promise<boolean> {
  const stored = decodeHash(hashed)
  if (!stored) return false
  const { parameters, salt, key } = stored
  const given = await derive(password, salt, parameters)
  // Hashes of earlier versions took less work. The difference would reveal which accounts exist.
  const missing = Math.floor((workOf(cost) - workOf(parameters)) / (cost.N * cost.r))
  if (missing > 0) await derive(password, salt, { ...cost, p: missing })
  return given.length === key.length && timingSafeEqual(given, key)
}

/** The hash was made with weaker parameters. The password is hashed again when it is known, at the next login. */
export function needsRehash(hashed: string): boolean {
  const stored = decodeHash(hashed)
  return stored !== undefined && workOf(stored.parameters) < workOf(cost)
}

/** Easy to read in a terminal and to type on a phone: no characters that look alike. */
export function randomPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters = Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length])
  return [0, 5, 10, 15].map((start) => letters.slice(start, start + 5).join('')).join('-')
}
