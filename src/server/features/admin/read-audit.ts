// Records searches and views of personal data in the audit log. An open page repeats its requests: repetitions in
// short succession are one entry.
import type { NewAuditEntry, RecordAudit } from '#server/http/mount.ts'

const repeatedWithinMs = 60_000
/** A page that stays open gets another entry after this time. */
const renewedAfterMs = 60 * 60_000
const maxRemembered = 10_000

export function createReadAudit(record: RecordAudit, { now = Date.now } = {}): (entry: NewAuditEntry) => Promise<void> {
  const recorded = new Map<string, { firstAt: number; lastAt: number }>()

  return async (entry) => {
    const { username, session, address } = entry.administrator
    const key = JSON.stringify([username, session, address, entry.action, entry.subject])
    const time = now()
    const known = recorded.get(key)
    // Reinserted, so that the first key is the one that was not seen for the longest time.
    recorded.delete(key)
    if (known && time - known.lastAt < repeatedWithinMs && time - known.firstAt < renewedAfterMs) {
      recorded.set(key, { firstAt: known.firstAt, lastAt: time })
      return
    }
    recorded.set(key, { firstAt: time, lastAt: time })
    const [oldest] = recorded.keys()
    if (recorded.size > maxRemembered && oldest !== undefined) recorded.delete(oldest)
    try {
      await record(entry)
    } catch (error) {
      recorded.delete(key)
      throw error
    }
  }
}
