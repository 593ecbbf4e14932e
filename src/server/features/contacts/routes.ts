// Signing up as a volunteer.
import { signUp, volunteerMessages } from '#contract/contacts.ts'
import type { Contacts } from '#server/features/contacts/contacts.ts'
import { type App, mount } from '#server/http/mount.ts'

export function contactRoutes(app: App, { contacts }: { contacts: Contacts }): void {
  mount(app, signUp, async (contact, { requestId }) => {
    // A robot is told that it succeeded, so that it does not try another way.
    if (!contact.honeypot) await contacts.record(contact, requestId)
    return { success: true, message: volunteerMessages.signedUp }
  })
}
