// Routes of the links in e-mails: confirm, remove, unsubscribe.
import {
  confirmSignature,
  type EmailLinkAction,
  emailLinkMessages,
  emailLinkPaths,
  keepChoice,
  type NewsChoice,
  newsChoices,
  readEmailLink,
  removeSignature,
  unsubscribe,
} from '#contract/email-links.ts'
import type { Deps } from '#server/deps.ts'
import { createEmailLinks } from '#server/features/email-links/email-links.ts'
import { type App, mount } from '#server/http/mount.ts'

const { confirmed, subscribed, formConfirmed, returned, removed } = emailLinkMessages

const choices: (NewsChoice | typeof keepChoice)[] = [...newsChoices, keepChoice]
const answers = {
  todas: emailLinkMessages.everyNews,
  'sem-campanha': emailLinkMessages.withoutCampaign,
  nenhuma: emailLinkMessages.unsubscribed,
  nunca: emailLinkMessages.neverAgain,
  [keepChoice]: emailLinkMessages.unchanged,
}

interface RemovesSignatures {
  removeSignature(id: string): Promise<unknown>
}

export function registerEmailLinks(app: App, deps: Deps, petitions: RemovesSignatures): void {
  const { database, log, removals, deliveries } = deps
  const links = createEmailLinks({
    database,
    log,
    removals,
    removeSignature: petitions.removeSignature,
    onQueued: deliveries.wake,
  })

  for (const action of Object.keys(emailLinkPaths) as EmailLinkAction[])
    mount(app, readEmailLink(action), async (_, { params }) => ({
      success: true,
      ...(await links.read(params.token, action)),
    }))

  mount(app, confirmSignature, async (_, { params }) => {
    const subject = await links.confirm(params.token)
    const message = { assinatura: confirmed, novidades: subscribed, cadastro: formConfirmed, volta: returned }[subject]
    return { success: true, message }
  })
  mount(app, removeSignature, async (_, { params }) => {
    await links.remove(params.token)
    return { success: true, message: removed }
  })
  mount(app, unsubscribe, async ({ escolha }, { params }) => {
    const choice = choices.find((known) => known === escolha) ?? 'nenhuma'
    await links.choose(params.token, choice)
    return { success: true, message: answers[choice] }
  })
}
