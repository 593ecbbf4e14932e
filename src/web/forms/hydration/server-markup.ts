// The page as the server sent it, if our scripts fail: its links and its plain form work without them.
const keyOf = ({ name, type, value }: HTMLInputElement) => (/checkbox|radio/.test(type) ? `${name}=${value}` : name)

/** Copies the page before hydration. The returned function restores the copy, with what the user typed since. */
export function keepServerMarkup(root: HTMLElement): () => void {
  const copy = root.cloneNode(true) as HTMLElement
  const typed = new Map<string, { value: string; checked: boolean }>()
  const remember = (field: HTMLInputElement) => typed.set(keyOf(field), { value: field.value, checked: field.checked })
  // A cloned select loses its selection.
  for (const field of root.querySelectorAll('select')) remember(field as unknown as HTMLInputElement)
  addEventListener(
    'input',
    ({ target }) => (target as HTMLInputElement).name && remember(target as HTMLInputElement),
    true,
  )
  return () => {
    for (const field of copy.querySelectorAll<HTMLInputElement>('input, select, textarea'))
      if (field.type !== 'hidden') Object.assign(field, typed.get(keyOf(field)))
    root.replaceWith(copy)
    delete document.documentElement.dataset.viva
  }
}
