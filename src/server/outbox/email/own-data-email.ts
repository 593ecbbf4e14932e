// The e-mail with the link to a person's own data. Its links are stored when it is sent.
import { emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import { linkMinutes, ownDataPaths } from '#contract/own-data.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { preferencesSecretOf, sealAddress } from '#server/core/own-data-link.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'
import { findOwner } from '#server/db/own-data.ts'
import type { EmailContent } from '#server/outbox/email/email-layout.ts'
import { ownDataLink } from '#server/outbox/email/email-templates.ts'
import { isClosed } from '#server/outbox/own-data/own-data-requests.ts'

const preferencesDays = 180

const storeLinks = `
insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt", "sealedAddress") values
  ($1, 'meus-dados', $3, $4, now() + interval '${linkMinutes} minutes', $5),
  ($2, 'descadastrar', $3, $4, now() + interval '${preferencesDays} days', null)`

interface OwnDataEmail {
  to: string
  canonicalEmail: string
  content: EmailContent
  unsubscribeUrl: string
}

/** Undefined if there is no data of the address any more, or it may get no e-mail. */
export async function composeOwnDataEmail(
  { orm, query }: Database,
  { email, publicUrl }: { email: string; publicUrl: string },
): Promise<OwnDataEmail | undefined> {
  const owner = await findOwner(orm, email)
  if (!owner || (await isClosed(orm, owner.email))) return undefined
  const secret = linkSecret()
  const preferencesSecret = preferencesSecretOf(secret)
  const canonicalEmail = canonicalizeEmail(owner.email)
  await query('store-own-data-links', storeLinks, [
    digestOf(secret),
    digestOf(preferencesSecret),
    orm.addressHmac(mailboxOf(canonicalEmail)),
    owner.recordId,
    sealAddress(secret, owner.email),
  ])
  const url = publicUrl + fillPath(ownDataPaths.opened, { token: secret })
  return {
    to: owner.email,
    canonicalEmail,
    content: ownDataLink({ name: owner.name, url }),
    unsubscribeUrl: publicUrl + fillPath(emailLinkPaths.descadastrar, { token: preferencesSecret }),
  }
}
