// Pages of lists, as they stand behind the `?`.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'

/** From 1; absent and empty are the first. */
export function pageNumber() {
  return z.pipe(
    z.pipe(
      z.optional(z.unknown()),
      z.transform((value) => Number(value || 1)),
    ),
    z
      .number(adminMessages.list.page)
      .check(
        z.int(adminMessages.list.page),
        z.minimum(1, adminMessages.list.page),
        z.maximum(1_000_000, adminMessages.list.page),
      ),
  )
}
