import type { TestSite } from '#tests/helpers/test-site.ts'

/**
 * The reply to a client that has the page already. Poll it: after the signatures of an earlier test have been deleted, a
 * page changes once more, when its count is read again.
 */
export async function conditionalReply(site: TestSite, url: string, tagOf = (etag: string) => etag) {
  const { headers } = await site.app.inject({ url })
  const ifNoneMatch = tagOf(String(headers.etag))
  const { statusCode, payload } = await site.app.inject({ url, headers: { 'if-none-match': ifNoneMatch } })
  return { statusCode, bytes: payload.length }
}

export const notModified = { statusCode: 304, bytes: 0 }
