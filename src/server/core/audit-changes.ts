import type { AuditChange } from '#contract/admin/audit-log.ts'

/** The values of longer texts are omitted: the audit log only says that the field changed. */
const maxCharacters = 200

type Fields = Record<string, unknown>

/** `labels`: the fields to compare and their names in the audit log. */
export function auditChanges(labels: Record<string, string>, before: Fields, after: Fields): AuditChange[] {
  return Object.entries(labels)
    .filter(([name]) => before[name] !== after[name])
    .map(([name, field]) => {
      const values = { before: formatValue(before[name]), after: formatValue(after[name]) }
      const fits = Object.values(values).every(({ length }) => length <= maxCharacters)
      return fits ? { field, ...values } : { field }
    })
}

function formatValue(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('pt-BR') : String(value ?? '')
}
