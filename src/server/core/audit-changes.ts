// Which fields of a record were changed, in the words of the audit log.
import type { AuditChange } from '#contract/admin/deeds.ts'

/** Longer texts are not repeated in the log: it only says that they changed. */
const mostCharacters = 200

type Fields = Record<string, unknown>

/** `labels` says which fields are compared, and what the log calls them. */
export function auditChanges(labels: Record<string, string>, before: Fields, after: Fields): AuditChange[] {
  return Object.entries(labels)
    .filter(([name]) => before[name] !== after[name])
    .map(([name, field]) => {
      const values = { before: shown(before[name]), after: shown(after[name]) }
      const fits = Object.values(values).every(({ length }) => length <= mostCharacters)
      return fits ? { field, ...values } : { field }
    })
}

function shown(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('pt-BR') : String(value ?? '')
}
