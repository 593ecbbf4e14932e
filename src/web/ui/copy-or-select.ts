/** Returns whether the text was copied. If not (no https, access refused), selects the element for copying by hand. */
export async function copyOrSelect(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (element) getSelection()?.selectAllChildren(element)
    return false
  }
}
