// How often a password was refused to an account that exists, put on record as a number: neither the password nor, for anybody else,
// the name that was tried. In memory for a while, so that guessing does not write and takes the same time for any name.
import { adminMessages } from '#contract/admin/messages.ts'
import type { Log } from '#server/core/log.ts'
import type { Administrator } from '#server/http/guard.ts'
import type { RecordDeed } from '#server/http/mount.ts'

export interface RefusedPasswords {
  note(administrator: Administrator): void
  /** Puts on record what has gathered. */
  settle(): Promise<void>
}

const { deeds: sentences } = adminMessages
const gatheredForMs = 10 * 60_000

export function createRefusedPasswords(record: RecordDeed, log: Log): RefusedPasswords {
  let gathered = new Map<number, { administrator: Administrator; times: number }>()
  let timer: NodeJS.Timeout | undefined

  async function settle(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const settled = gathered
    gathered = new Map()
    for (const { administrator, times } of settled.values()) {
      const subject = sentences.times(times)
      await record({ administrator, deed: sentences.wrongPassword, subject }).catch((error: unknown) =>
        log.warn({ err: error }, 'refused passwords not recorded'),
      )
    }
  }

  return {
    note(administrator) {
      const { times = 0 } = gathered.get(administrator.id) ?? {}
      gathered.set(administrator.id, { administrator, times: times + 1 })
      timer ??= setTimeout(settle, gatheredForMs).unref()
    },
    settle,
  }
}
