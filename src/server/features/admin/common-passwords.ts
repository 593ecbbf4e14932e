// Refuses passwords that everybody tries first. The list stays on the server.
import { readFileSync } from 'node:fs'
import { adminMessages } from '#contract/admin/messages.ts'
import { AppError } from '#server/core/errors.ts'

const { team: texts } = adminMessages

const listFile = new URL('./common-passwords.txt', import.meta.url)
let list: Set<string> | undefined

/** The list is in lower case. It has no password that is too short to be accepted. */
function isCommon(password: string): boolean {
  list ??= new Set(readFileSync(listFile, 'utf8').split('\n').filter(Boolean))
  return list.has(password.normalize('NFKC').trim().toLowerCase())
}

export function refuseCommonPassword(password: string): void {
  if (!isCommon(password)) return
  throw new AppError('invalid', texts.passwordCommon, { errors: { password: texts.passwordCommon } })
}
