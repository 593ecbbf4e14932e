// What is in the fields of a form.
export type FormValues = Record<string, unknown>

export function valuesOf(form: HTMLFormElement, lists: readonly string[]): FormValues {
  const data = new FormData(form)
  return { ...Object.fromEntries(data), ...Object.fromEntries(lists.map((name) => [name, data.getAll(name)])) }
}

/** The fields that somebody has begun to fill in. */
export function begunIn(form: HTMLFormElement | null): HTMLInputElement[] {
  const fields = form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden], [type=checkbox])')
  return Array.from(fields ?? []).filter(({ value, defaultValue }) => value !== defaultValue)
}

/** Boxes that stand alone, if they are marked. */
export function marksOf(form: HTMLFormElement, lists: readonly string[]): Record<string, true> {
  const marked = Array.from(form.querySelectorAll<HTMLInputElement>('[type=checkbox]:checked'), ({ name }) => name)
  return Object.fromEntries(marked.filter((name) => !lists.includes(name)).map((name) => [name, true]))
}
