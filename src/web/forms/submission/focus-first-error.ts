export function firstInvalidField(form: HTMLFormElement, errors: Record<string, string>): HTMLElement | undefined {
  return ([...form.elements] as HTMLInputElement[]).find(({ name }) => name in errors)
}

export function focusAndScroll(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
  // Without smooth scrolling: during it, a user who presses again would miss the target.
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
}
