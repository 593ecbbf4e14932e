import { outboxKinds } from '#server/db/outbox.ts'
import { createEmailHandler, type EmailHandlerParts } from '#server/outbox/email/email-handler.ts'
import { createSendNews } from '#server/outbox/news/send-news.ts'
import type { DeliveryHandler } from '#server/outbox/queue/delivery.ts'
import { fanOutKinds } from '#server/outbox/queue/fan-out.ts'
import { createFormerSheetErasure } from '#server/outbox/sheet/former-sheets.ts'
import type { SheetSync } from '#server/outbox/sheet/sync-sheet.ts'

/** All delivery handlers of a server. */
export function createHandlers(parts: EmailHandlerParts & { spreadsheet: SheetSync }): DeliveryHandler[] {
  const formerSheets = createFormerSheetErasure(parts.database, parts.config)
  const handlers = [createEmailHandler(parts), createSendNews(parts), parts.spreadsheet.handler, formerSheets]
  checkKinds(handlers)
  return handlers
}

/** Without this check, rows of a kind that nothing consumes would stay in the queue unnoticed. */
export function checkKinds(handlers: Pick<DeliveryHandler, 'kinds' | 'refillKinds'>[]): void {
  const consumed = [...fanOutKinds, ...handlers.flatMap(({ kinds, refillKinds = [] }) => [...kinds, ...refillKinds])]
  for (const kind of outboxKinds) {
    const consumers = consumed.filter((other) => other === kind).length
    if (consumers !== 1) throw new Error(`Outbox kind "${kind}" must have exactly one handler, but has ${consumers}`)
  }
}
