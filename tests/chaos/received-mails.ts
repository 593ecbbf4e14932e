import PostalMime from 'postal-mime'
import type { SmtpServer } from '#tests/helpers/smtp.ts'

interface ReceivedMails {
  /** Number of mails by address. */
  byAddress: Map<string, number>
  duplicates: number
  /** Addresses whose mails have more than one Message-ID. */
  withSeveralIds: string[]
}

export async function receivedMails(smtp: SmtpServer): Promise<ReceivedMails> {
  const ids = new Map<string, Set<string>>()
  const byAddress = new Map<string, number>()
  for (const { to, raw } of smtp.received) {
    const address = to.join()
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
    const { messageId = '' } = await PostalMime.parse(raw)
    ids.set(address, (ids.get(address) ?? new Set()).add(messageId))
  }
  return {
    byAddress,
    duplicates: smtp.received.length - byAddress.size,
    withSeveralIds: [...ids].filter(([, messageIds]) => messageIds.size > 1).map(([address]) => address),
  }
}

export const reachedAddresses = (smtp: SmtpServer) => new Set(smtp.received.flatMap(({ to }) => to)).size
