// Query parameters for pages of lists.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'

/** Starts at 1. Absent and empty mean the first page. */
export function pageNumber() {
  return wholeNumber({ fallback: 1, max: 1_000_000, error: adminMessages.list.page })
}

/** Rows per page. */
export function pageSize({ fallback, max }: { fallback: number; max: number }) {
  return wholeNumber({ fallback, max, error: adminMessages.list.size })
}

/** Keyset pagination: rows before or after the row of the cursor. */
export function cursorQuery(pattern: RegExp) {
  const cursor = z.pipe(
    z.transform((text: unknown) => (text === '' ? undefined : text)),
    z.optional(z.string(adminMessages.list.page).check(z.regex(pattern, adminMessages.list.page))),
  )
  return { antes: cursor, depois: cursor }
}

/** Cursors of the neighbouring pages; null if there is no page on that side. */
export const cursorReply = { antes: z.nullable(z.string()), depois: z.nullable(z.string()) }

interface WholeNumber {
  fallback: number
  max: number
  error: string
}

function wholeNumber({ fallback, max, error }: WholeNumber) {
  return z.pipe(
    z.pipe(
      z.optional(z.unknown()),
      z.transform((value) => Number(value || fallback)),
    ),
    z.number(error).check(z.int(error), z.minimum(1, error), z.maximum(max, error)),
  )
}
