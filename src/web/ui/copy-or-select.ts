// Puts a text into the clipboard, and says whether that was done.

/** Without https, or when it is refused, what shows the text is at least selected for the hand that copies it. */
export async function copyOrSelect(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown)
    return false
  }
}
