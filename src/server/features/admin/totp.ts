// Codes of authenticator apps (RFC 6238): six digits, a new one every thirty seconds.
import { Secret, TOTP } from 'otpauth'

const stepSeconds = 30

const parameters = { algorithm: 'SHA1', digits: 6, period: stepSeconds } as const

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Read by authenticator apps, from a QR code. */
export function totpAddress({ secret, issuer, label }: { secret: string; issuer: string; label: string }): string {
  return new TOTP({ ...parameters, issuer, label, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * The time step of a code, or undefined if it is wrong. The clocks of phones differ, so the step before and the one
 * after are accepted too. A step up to `lastStep` was used before.
 */
export function totpStep(given: { secret: string; code: string; now: Date; lastStep: number | null }) {
  const { secret, code, now, lastStep } = given
  const timestamp = now.getTime()
  const options = { ...parameters, secret: Secret.fromBase32(secret), token: code, timestamp, window: 1 }
  const delta = TOTP.validate(options)
  if (delta === null) return undefined
  const step = Math.floor(timestamp / 1_000 / stepSeconds) + delta
  return lastStep !== null && step <= lastStep ? undefined : step
}
