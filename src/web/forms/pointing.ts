// Where a form is wrong: eyes, ears and cursor are led there.
export function firstWrong(form: HTMLFormElement | null, errors: Record<string, string>): HTMLElement | undefined {
  const fields = Array.from(form?.elements ?? []) as HTMLInputElement[]
  return fields.find(({ name }) => name in errors)
}

export function pointAt(place: HTMLElement | null | undefined): void {
  place?.focus({ preventScroll: true })
  // At once: who presses or types again while the page glides would miss.
  place?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

export function focusFirst(form: HTMLFormElement | null, errors: Record<string, string>): void {
  pointAt(firstWrong(form, errors))
}
