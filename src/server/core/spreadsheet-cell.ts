import { cellOf } from '#contract/csv.ts'
import { formatPhone } from '#server/core/phone.ts'

/** Formatted as `(11) 98765-4321`, which is text for every program: digits are a number, and `+55` begins a formula. */
export function phoneCellOf(text: string): string {
  return cellOf(formatPhone(text))
}
