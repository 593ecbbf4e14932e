export type FormValues = Record<string, unknown>

export function valuesOf(form: HTMLFormElement, lists: readonly string[]): FormValues {
  const data = new FormData(form)
  return { ...Object.fromEntries(data), ...Object.fromEntries(lists.map((name) => [name, data.getAll(name)])) }
}

/** The fields that the user has begun to fill in. */
export function editedFields(form: HTMLFormElement | null): HTMLInputElement[] {
  const fields = form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden], [type=checkbox])')
  return [...(fields ?? [])].filter(({ value, defaultValue }) => value !== defaultValue)
}

/** The checked checkboxes, except those of groups, which have a value. */
export function checkedBoxes(form: HTMLFormElement): Record<string, true> {
  const checked = form.querySelectorAll<HTMLInputElement>('[type=checkbox]:checked:not([value])')
  return Object.fromEntries(Array.from(checked, ({ name }) => [name, true]))
}
