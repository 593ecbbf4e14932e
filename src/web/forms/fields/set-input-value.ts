/** Sets the value as if the user had typed it, so that the field is validated again. */
export function setInputValue(field: HTMLInputElement, value: string): void {
  field.value = value
  field.focus()
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
