// Writes into a field for somebody, as if they had typed it: what was wrong with it is looked at again.
export function putInto(field: HTMLInputElement, value: string): void {
  field.value = value
  field.focus()
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
