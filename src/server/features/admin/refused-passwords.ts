// Records in the audit log how often a password was refused for an existing account. Passwords and unknown usernames
// are not recorded. Counts stay in memory for a while, so that guessing causes no writes and takes equally long for
// any name.
import { adminMessages } from '#contract/admin/messages.ts'
import type { Log } from '#server/core/log.ts'
import type { Administrator } from '#server/http/guard.ts'
import type { RecordAudit } from '#server/http/mount.ts'

const { auditLog: texts } = adminMessages
const flushAfterMs = 10 * 60_000

export type RefusedPasswords = ReturnType<typeof createRefusedPasswords>

/** `action` names the audit entry: passwords and codes are counted apart. */
export function createRefusedPasswords(record: RecordAudit, log: Log, action: string = texts.wrongPassword) {
  let collected = new Map<number, { administrator: Administrator; times: number }>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const flushed = collected
    collected = new Map()
    for (const { administrator, times } of flushed.values()) {
      const subject = texts.times(times)
      // The refusals may be of several sessions and networks.
      const { username } = administrator
      await record({ administrator: { username }, action, subject }).catch((error: unknown) =>
        log.warn({ err: error }, 'refused passwords not recorded'),
      )
    }
  }

  return {
    add(administrator: Administrator): void {
      const { times = 0 } = collected.get(administrator.id) ?? {}
      collected.set(administrator.id, { administrator, times: times + 1 })
      timer ??= setTimeout(flush, flushAfterMs).unref()
    },
    /** Writes the collected counts to the audit log. */
    flush,
  }
}
