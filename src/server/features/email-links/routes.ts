// The buttons behind the links of e-mails: confirming a signature, taking it back, unsubscribing.
import { confirmSignature, removeSignature, unsubscribe } from '#contract/email-links.ts'
import { messages } from '#contract/messages.ts'
import type { EmailLinks } from '#server/features/email-links/email-links.ts'
import { type App, mount } from '#server/http/mount.ts'

const { confirmed, removed, unsubscribed } = messages.emailLinks

export function emailLinkRoutes(app: App, { links }: { links: EmailLinks }): void {
  mount(app, confirmSignature, async (_, { params }) => {
    await links.confirm(params.token)
    return { success: true, message: confirmed }
  })
  mount(app, removeSignature, async (_, { params }) => {
    await links.remove(params.token)
    return { success: true, message: removed }
  })
  mount(app, unsubscribe, async (_, { params }) => {
    await links.unsubscribe(params.token)
    return { success: true, message: unsubscribed }
  })
}
