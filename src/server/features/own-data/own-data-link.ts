// The link to a person's own data. It works several times within its hour, and its secret decrypts the address.
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { linkProblem } from '#server/core/link-problem.ts'
import { openAddress } from '#server/core/own-data-link.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'

export interface OwnDataLink {
  email: string
  canonicalEmail: string
  /** Of the mailbox: the key of `enderecos`. */
  addressDigest: Buffer
  expiresAt: Date
}

export async function openOwnDataLink({ query }: Pick<Database, 'query'>, token: string): Promise<OwnDataLink> {
  const [link] = await query<{
    addressDigest: Buffer
    expiresAt: Date
    sealedAddress: Buffer | null
    isValid: boolean
  }>(
    'open-own-data-link',
    `select "addressDigest", "expiresAt", "sealedAddress", "expiresAt" > now() as "isValid"
    from email_tokens where digest = $1 and action = 'meus-dados'`,
    [digestOf(token)],
  )
  if (!link) throw linkProblem('link-unknown')
  const { addressDigest, expiresAt, sealedAddress, isValid } = link
  if (!isValid || !sealedAddress) throw linkProblem('link-expired')
  const email = openAddress(token, sealedAddress)
  return { email, canonicalEmail: canonicalizeEmail(email), addressDigest, expiresAt }
}
