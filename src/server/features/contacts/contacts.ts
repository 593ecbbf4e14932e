import type { Contact } from '#contract/contacts.ts'
import { contacts } from '#server/db/schema.ts'
import { newSubmission, type Submissions } from '#server/db/submissions.ts'

export function createContacts(submissions: Submissions) {
  return {
    record(contact: Contact, requestId: string): Promise<void> {
      const row = { ...contact, ...newSubmission(contact.email, requestId) }
      return submissions.record('voluntario', row, (orm) => orm.insert(contacts).values(row))
    },
  }
}
