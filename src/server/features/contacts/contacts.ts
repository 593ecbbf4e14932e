import type { Contact } from '#contract/contacts.ts'
import { contacts } from '#server/db/schema.ts'
import { newSubmission, type Submissions } from '#server/db/submissions.ts'

interface Contacts {
  record(contact: Contact, requestId: string): Promise<void>
}

export function createContacts(submissions: Submissions): Contacts {
  return {
    record(contact, requestId) {
      const row = { ...contact, ...newSubmission(contact.email, requestId) }
      return submissions.record('voluntario', row, (orm) => orm.insert(contacts).values(row))
    },
  }
}
