// Pages of lists, as they stand behind the `?`.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'

/** From 1; absent and empty are the first. */
export function pageNumber() {
  return wholeNumber({ usual: 1, most: 1_000_000, sentence: adminMessages.list.page })
}

/** How many a page holds. */
export function pageSize({ usual, most }: { usual: number; most: number }) {
  return wholeNumber({ usual, most, sentence: adminMessages.list.size })
}

/** Keyset pagination: rows before or after the one that a cursor names. */
export function cursorQuery(form: RegExp) {
  const cursor = z.pipe(
    z.transform((text: unknown) => (text === '' ? undefined : text)),
    z.optional(z.string(adminMessages.list.page).check(z.regex(form, adminMessages.list.page))),
  )
  return { antes: cursor, depois: cursor }
}

/** Cursors of the next pages; null if there is none on that side. */
export const cursorReply = { antes: z.nullable(z.string()), depois: z.nullable(z.string()) }

interface WholeNumber {
  usual: number
  most: number
  sentence: string
}

function wholeNumber({ usual, most, sentence }: WholeNumber) {
  return z.pipe(
    z.pipe(
      z.optional(z.unknown()),
      z.transform((value) => Number(value || usual)),
    ),
    z.number(sentence).check(z.int(sentence), z.minimum(1, sentence), z.maximum(most, sentence)),
  )
}
