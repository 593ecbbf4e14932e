// The delivery handlers of a server, and what they share.
import { outboxKinds } from '#server/db/outbox.ts'
import { createEmailHandler, type EmailHandlerParts } from '#server/outbox/email/email-handler.ts'
import { createSendNews } from '#server/outbox/news/send-news.ts'
import { createOwnDataRequests } from '#server/outbox/own-data/own-data-requests.ts'
import type { DeliveryHandler } from '#server/outbox/queue/delivery.ts'
import { fanOutKinds } from '#server/outbox/queue/fan-out.ts'
import { createFormerSheetErasure } from '#server/outbox/sheet/former-sheets.ts'
import type { SheetSync } from '#server/outbox/sheet/sync-sheet.ts'

/** All delivery handlers of a server. */
export function createHandlers(parts: EmailHandlerParts & { spreadsheet: SheetSync }): DeliveryHandler[] {
  const formerSheets = createFormerSheetErasure(parts.database, parts.config)
  const closeMailer = onCall(mailerUsers, () => parts.mailer.close())
  const handlers = [
    { ...createEmailHandler(parts), abort: closeMailer },
    { ...createSendNews(parts), abort: closeMailer },
    createOwnDataRequests(parts.database),
    parts.spreadsheet.handler,
    formerSheets,
  ]
  checkKinds(handlers)
  return handlers
}

/** E-mails and news. */
const mailerUsers = 2

/** Handlers end at different times. The last one closes what they share: another may still be sending. */
function onCall(last: number, action: () => void): () => void {
  let calls = 0
  return () => {
    calls += 1
    if (calls % last === 0) action()
  }
}

/** Without this check, rows of a kind that nothing consumes would stay in the queue unnoticed. */
export function checkKinds(handlers: Pick<DeliveryHandler, 'kinds' | 'refillKinds'>[]): void {
  const consumed = [...fanOutKinds, ...handlers.flatMap(({ kinds, refillKinds = [] }) => [...kinds, ...refillKinds])]
  for (const kind of outboxKinds) {
    const consumers = consumed.filter((other) => other === kind).length
    if (consumers !== 1) throw new Error(`Outbox kind "${kind}" must have exactly one handler, but has ${consumers}`)
  }
}
