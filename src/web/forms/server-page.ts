// The page as the server sent it, for the case that our scripts fail: its links and its plain form work without them.
const keyOf = ({ name, type, value }: HTMLInputElement) => (/checkbox|radio/.test(type) ? `${name}=${value}` : name)

/** Copies the page before the scripts take it over. The result puts the copy in its place, with what was typed since. */
export function keepServerPage(root: HTMLElement): () => void {
  const copy = root.cloneNode(true) as HTMLElement
  const typed = new Map<string, { value: string; checked: boolean }>()
  const note = (field: HTMLInputElement) => typed.set(keyOf(field), { value: field.value, checked: field.checked })
  // A copy of a select forgets what was chosen.
  for (const field of root.querySelectorAll('select')) note(field as unknown as HTMLInputElement)
  addEventListener('input', ({ target }) => (target as HTMLInputElement).name && note(target as HTMLInputElement), true)
  return () => {
    for (const field of copy.querySelectorAll<HTMLInputElement>('input, select, textarea'))
      if (field.type !== 'hidden') Object.assign(field, typed.get(keyOf(field)))
    root.replaceWith(copy)
    delete document.documentElement.dataset.viva
  }
}
