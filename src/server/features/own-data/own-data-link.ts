// The link to a person's own data. It works several times within its hour, and its secret decrypts the address.
import { createBatchLookup } from '#server/core/batch-lookup.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { linkProblem } from '#server/core/link-problem.ts'
import { openAddress } from '#server/core/own-data-link.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'

export interface OwnDataLink {
  email: string
  canonicalEmail: string
  /** Of the mailbox: the key of `enderecos`. */
  addressHmac: Buffer
  expiresAt: Date
}

interface StoredLink {
  digest: Buffer
  addressHmac: Buffer
  expiresAt: Date
  sealedAddress: Buffer | null
  isValid: boolean
}

const findByDigest = `
select digest, "addressHmac", "expiresAt", "sealedAddress", "expiresAt" > now() as "isValid"
from email_tokens where digest = any($1::bytea[]) and action = 'meus-dados'`

export type OwnDataLinks = ReturnType<typeof createOwnDataLinks>

export function createOwnDataLinks({ query }: Pick<Database, 'query'>) {
  /** Anybody can open invented links, and signing uses the same database connections. */
  const lookUp = createBatchLookup(async (digests) => {
    const given = digests.map((digest) => Buffer.from(digest, 'base64'))
    const links = await query<StoredLink & object>('open-own-data-links', findByDigest, [given])
    return new Map(links.map((link) => [link.digest.toString('base64'), link]))
  })

  return {
    async open(token: string): Promise<OwnDataLink> {
      const link = await lookUp(digestOf(token).toString('base64'))
      if (!link) throw linkProblem('link-unknown')
      const { addressHmac, expiresAt, sealedAddress, isValid } = link
      if (!isValid || !sealedAddress) throw linkProblem('link-expired')
      const email = openAddress(token, sealedAddress)
      return { email, canonicalEmail: canonicalizeEmail(email), addressHmac, expiresAt }
    },
  }
}
