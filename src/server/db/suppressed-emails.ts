import { addressHmacSql } from '#server/db/mailbox.ts'

/**
 * A CTE for the statement that erases records: the addresses of the CTE `erased`, which returns "canonicalEmail", leave
 * the suppression list, with the reply of the mail server, which may contain a part of the address. Their HMACs stay,
 * so that they get no e-mail.
 */
export const forgetSuppressedEmails = (erased: string) => `forgotten as (
  update enderecos set "suppressedEmail" = null, "suppressionDetail" = null from ${erased}
  where "addressHmac" = ${addressHmacSql(`${erased}."canonicalEmail"`)} and "suppressedEmail" is not null)`
