// Restores what the user typed before hydration, if React renders the page again: because a translator has changed it,
// or because a long text was returned for correction.
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldsOf = (root: HTMLElement) =>
  Array.from(root.querySelectorAll<Field>('input[name], select[name], textarea[name]'))
const isCheckable = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio'
const stateOf = (field: Field) => (isCheckable(field) ? String(field.checked) : field.value)

/** Reads the fields now and at every input event. The returned function restores values that changed otherwise. */
export function captureInput(root: HTMLElement): () => void {
  let states: string[] = []
  const read = () => {
    states = fieldsOf(root).map(stateOf)
  }
  read()
  root.addEventListener('input', read, true)
  return () => {
    root.removeEventListener('input', read, true)
    for (const [index, field] of fieldsOf(root).entries()) {
      const state = states[index]
      if (state === undefined || field.type === 'hidden' || stateOf(field) === state) continue
      if (isCheckable(field)) field.checked = state === 'true'
      else field.value = state
    }
  }
}
