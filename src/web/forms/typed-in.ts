// What people type before the scripts arrive, kept for the case that these draw the page anew: a translator has changed it, or a long
// text came back to be corrected.
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldsOf = (root: HTMLElement) =>
  Array.from(root.querySelectorAll<Field>('input[name], select[name], textarea[name]'))
const isMark = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio'
const stateOf = (field: Field) => (isMark(field) ? String(field.checked) : field.value)

/** Reads the fields now and at every key that follows; what it gives puts back what has changed in any other way. */
export function typedIn(root: HTMLElement): () => void {
  let typed: string[] = []
  const read = () => {
    typed = fieldsOf(root).map(stateOf)
  }
  read()
  root.addEventListener('input', read, true)
  return () => {
    root.removeEventListener('input', read, true)
    for (const [index, field] of fieldsOf(root).entries()) {
      const state = typed[index]
      if (state === undefined || field.type === 'hidden' || stateOf(field) === state) continue
      if (isMark(field)) field.checked = state === 'true'
      else field.value = state
    }
  }
}
