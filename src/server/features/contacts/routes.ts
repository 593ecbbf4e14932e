import { signUp, volunteerMessages } from '#contract/contacts.ts'
import type { Submissions } from '#server/db/submissions.ts'
import { createContacts } from '#server/features/contacts/contacts.ts'
import { type App, mount } from '#server/http/mount.ts'

export function registerContacts(app: App, submissions: Submissions): void {
  const contacts = createContacts(submissions)
  mount(app, signUp, async (contact, { requestId }) => {
    // A bot also gets a success reply, so that it does not try another way.
    if (!contact.honeypot) await contacts.record(contact, requestId)
    return { success: true, message: volunteerMessages.signedUp }
  })
}
