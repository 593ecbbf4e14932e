import { kindLabels, type PeopleKind } from '#contract/admin/people.ts'
import { type WorkflowStatus, workflowStatuses } from '#contract/admin/people-workflow.ts'
import { e164Of } from '#contract/phone.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'

export function formatPeopleCount(tipo: PeopleKind, { total, exato }: { total: number; exato: boolean }): string {
  const { one, many } = kindLabels[tipo]
  if (!exato && total === 0) return `${many}, ainda sem contagem`
  return `${exato ? '' : 'pelo menos '}${pluralize(total, one, many)}`
}

export const formatDay = (day: string) => day.split('-').reverse().join('/')

export const formatStatus = (status: WorkflowStatus) => workflowStatuses[status]

/** Replaced with the first name. */
export const namePlaceholder = '{nome}'
const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? ''

/** Undefined if the phone cannot be reached on WhatsApp. */
export function whatsappChatUrl(person: { nome: string; whatsapp: string }, template: string): string | undefined {
  const number = e164Of(person.whatsapp).slice(1)
  if (!number) return undefined
  const text = template.replaceAll(namePlaceholder, firstName(person.nome))
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`
}
