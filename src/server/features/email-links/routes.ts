// The buttons behind the links of e-mails: confirming a signature, taking it back, unsubscribing.
import {
  confirmSignature,
  type EmailLinkAction,
  emailLinkMessages,
  emailLinkPaths,
  neverAgainField,
  readEmailLink,
  removeSignature,
  unsubscribe,
} from '#contract/email-links.ts'
import type { EmailLinks } from '#server/features/email-links/email-links.ts'
import { type App, mount } from '#server/http/mount.ts'

const { confirmed, subscribed, returned, removed, unsubscribed, neverAgain } = emailLinkMessages

export function emailLinkRoutes(app: App, { links }: { links: EmailLinks }): void {
  for (const action of Object.keys(emailLinkPaths) as EmailLinkAction[])
    mount(app, readEmailLink(action), async (_, { params }) => ({
      success: true,
      ...(await links.read(params.token, action)),
    }))

  mount(app, confirmSignature, async (_, { params }) => {
    const subject = await links.confirm(params.token)
    return { success: true, message: { assinatura: confirmed, novidades: subscribed, cadastro: returned }[subject] }
  })
  mount(app, removeSignature, async (_, { params }) => {
    await links.remove(params.token)
    return { success: true, message: removed }
  })
  mount(app, unsubscribe, async ({ escolha }, { params }) => {
    const isForGood = escolha === neverAgainField.value
    await links.unsubscribe(params.token, isForGood ? 'everything' : 'news')
    return { success: true, message: isForGood ? neverAgain : unsubscribed }
  })
}
