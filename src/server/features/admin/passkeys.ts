// Passkeys of accounts: what browsers are asked for, and the verification of their answers (WebAuthn).
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import {
  type PasskeyAssertion,
  type PasskeyCreation,
  type PasskeyRegistration,
  type PasskeyRequest,
  transports,
} from '#contract/admin/passkeys.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Orm } from '#server/db/database.ts'
import { adminChallenges, adminPasskeys } from '#server/db/schema.ts'
import type { Administrator } from '#server/http/guard.ts'

/** EdDSA, ES256 and RS256: every authenticator has one of them. Named, so that all nodes agree. */
const algorithms = [-8, -7, -257]
/** As long as a challenge is valid. */
const timeout = 300_000
const challengeCutoff = sql`now() - interval '5 minutes'`
/** The password is the first factor, so that security keys without a PIN can be the second. */
const userVerification = 'preferred'

/** Part of the stored digest: a challenge of another purpose cannot finish a login. */
type Purpose = 'add' | 'confirm'

interface Challenge {
  id: number
  purpose: Purpose
  challenge: string
}

export interface AssertionProof {
  challenge: string
  assertion: PasskeyAssertion
}

export type Passkeys = ReturnType<typeof createPasskeys>

export function createPasskeys({ publicUrl }: { publicUrl: string }) {
  const { origin, hostname, protocol } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  const isAvailable = isLocal || (protocol === 'https:' && !isAddress)

  const digest = ({ purpose, challenge }: Omit<Challenge, 'id'>) =>
    digestOf(`passkey ${purpose} ${challenge}`).toString('base64url')

  async function descriptors(tx: Orm, id: number): Promise<PasskeyRequest['allowCredentials']> {
    const rows = await tx
      .select({ id: adminPasskeys.credentialId, stored: adminPasskeys.transports })
      .from(adminPasskeys)
      .where(eq(adminPasskeys.adminUserId, id))
      .orderBy(adminPasskeys.id)
    return rows.map(({ stored, ...row }) => ({
      ...row,
      type: 'public-key',
      transports: transports.filter((each) => stored.includes(each)),
    }))
  }

  return {
    /** False: browsers create passkeys only for a domain with https, and for localhost. */
    isAvailable,

    async list(tx: Orm, id: number) {
      const { name, createdAt, lastUsedAt } = adminPasskeys
      const rows = await tx
        .select({ id: adminPasskeys.id, name, createdAt, lastUsedAt })
        .from(adminPasskeys)
        .where(eq(adminPasskeys.adminUserId, id))
        .orderBy(adminPasskeys.id)
      return rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      }))
    },

    /** Undefined if the account has no passkey that works with this address of the site. */
    async requestFor(tx: Orm, id: number, challenge: string): Promise<PasskeyRequest | undefined> {
      const allowCredentials = isAvailable ? await descriptors(tx, id) : []
      if (allowCredentials.length === 0) return undefined
      // The verification runs in a transaction, which should not wait for the library.
      await loadLibrary()
      return { challenge, rpId: hostname, timeout, userVerification, allowCredentials }
    },

    async creationFor(
      tx: Orm,
      { id, username }: Administrator,
      given: { siteName: string; challenge: string },
    ): Promise<PasskeyCreation> {
      return {
        challenge: given.challenge,
        rp: { id: hostname, name: given.siteName },
        // The same for every passkey of the account, so that an authenticator replaces nothing of another account.
        user: { id: digestOf(`passkey user ${id}`).toString('base64url'), name: username, displayName: username },
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
        timeout,
        attestation: 'none',
        // Passkeys that are synchronized survive a lost phone. Security keys without room store nothing.
        authenticatorSelection: { residentKey: 'preferred', userVerification },
        excludeCredentials: await descriptors(tx, id),
      }
    },

    async createChallenge(tx: Orm, { id, purpose }: Omit<Challenge, 'challenge'>): Promise<string> {
      const challenge = randomBytes(32).toString('base64url')
      await tx.delete(adminChallenges).where(lt(adminChallenges.createdAt, challengeCutoff))
      await tx.insert(adminChallenges).values({ tokenHash: digest({ purpose, challenge }), adminUserId: id })
      return challenge
    },

    /** Each challenge is accepted once. */
    async takeChallenge(tx: Orm, { id, ...given }: Challenge): Promise<boolean> {
      const { rowCount } = await tx
        .delete(adminChallenges)
        .where(
          and(
            eq(adminChallenges.tokenHash, digest(given)),
            eq(adminChallenges.adminUserId, id),
            gt(adminChallenges.createdAt, challengeCutoff),
          ),
        )
      return rowCount === 1
    },

    /** The credential to store. Undefined if the answer is not valid. */
    async verifyRegistration(challenge: string, response: PasskeyRegistration) {
      const { verifyRegistrationResponse } = await loadLibrary()
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...response, response: { ...response.response, transports: [] }, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: hostname,
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }).catch(refused)
      if (!registrationInfo) return undefined
      const { id, publicKey, counter } = registrationInfo.credential
      const known = transports.filter((each) => response.response.transports?.includes(each))
      return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports: known }
    },

    /** Whether a passkey of the account has signed the challenge. The transaction must have locked the account. */
    async accept(tx: Orm, id: number, { challenge, assertion }: AssertionProof): Promise<boolean> {
      const { credentialId, adminUserId } = adminPasskeys
      const isOwn = and(eq(credentialId, assertion.id), eq(adminUserId, id))
      const [stored] = await tx.select().from(adminPasskeys).where(isOwn)
      if (!stored) return false
      const { verifyAuthenticationResponse } = await loadLibrary()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...assertion, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: hostname,
        requireUserVerification: false,
        // A counter that does not grow is refused: the authenticator may have been copied.
        credential: {
          id: stored.credentialId,
          publicKey: new Uint8Array(stored.publicKey),
          counter: stored.counter,
        },
      }).catch(refused)
      if (!verified || !authenticationInfo) return false
      await tx
        .update(adminPasskeys)
        .set({ counter: authenticationInfo.newCounter, lastUsedAt: sql`now()` })
        .where(isOwn)
      return true
    },
  }
}

/** The library rejects for every answer that is not valid. */
const refused = (): { verified: false; registrationInfo?: undefined; authenticationInfo?: undefined } => ({
  verified: false,
})

/** Loaded when the first passkey is used: it takes a tenth of a second and 30 MB. */
async function loadLibrary() {
  const library = await import('@simplewebauthn/server')
  // Attestation is not evaluated. With root certificates the library would request revocation lists.
  for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const)
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  return library
}
