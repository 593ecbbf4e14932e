/**
 * A CTE for the statement that erases records: the addresses of the CTE `erased`, which returns "canonicalEmail", leave
 * the suppression list, with the reply of the mail server, which may contain a part of the address. Their digests stay,
 * so that they get no e-mail.
 */
export const forgetSuppressedEmails = (erased: string) => `forgotten as (
  update enderecos set "suppressedEmail" = null, "suppressionDetail" = null from ${erased}
  where "addressDigest" = sha256(convert_to(${erased}."canonicalEmail", 'UTF8')) and "suppressedEmail" is not null)`
