// The prefilled WhatsApp text of each kind of people, editable and kept in this browser.
import type { PeopleKind } from '#contract/admin/people.ts'
import { namePlaceholder } from '#web/admin/people/people-labels.ts'
import { site } from '#web/admin/ui/site.ts'

const thanks: Record<PeopleKind, string> = {
  assinaturas: 'Obrigado por assinar!',
  voluntarios: 'Obrigado por se voluntariar!',
  influenciadores: 'Obrigado por se inscrever como influenciador!',
  lideres: 'Obrigado por se inscrever como liderança!',
}
export const maxTemplateLength = 1_000

const keyOf = (tipo: PeopleKind) => `admin_texto_whatsapp_${tipo}`
const defaultTemplate = (tipo: PeopleKind) =>
  `Oi, ${namePlaceholder}! Aqui é da equipe ${site.movimento}. ${thanks[tipo]} Podemos conversar?`

export function readTemplate(tipo: PeopleKind): string {
  try {
    return localStorage.getItem(keyOf(tipo)) ?? defaultTemplate(tipo)
  } catch {
    return defaultTemplate(tipo)
  }
}

/** An empty text restores the default. */
export function saveTemplate(tipo: PeopleKind, template: string): void {
  try {
    if (template.trim()) localStorage.setItem(keyOf(tipo), template)
    else localStorage.removeItem(keyOf(tipo))
  } catch {
    // Without storage the text is kept until the page is closed.
  }
}
