// Cities of the chosen state that match what is typed, from the first letter on: the list of a combobox whose field is elsewhere.
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { cities } from '#web/api/cities.ts'
import { useStore } from '#web/api/store.ts'
import { matchingCities } from '#web/forms/matching-cities.ts'
import { putInto } from '#web/forms/put-into.ts'

const list = 'cidade-sugestoes'
const optionId = (index: number) => `${list}-${index}`
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

export default function CitySuggestions({ input }: { input: HTMLInputElement }): ReactNode {
  const store = useStore()
  const [shown, setShown] = useState<string[]>([])
  const [active, setActive] = useState(-1)
  const open = shown.length > 0

  function show(names: string[]): void {
    setShown(names)
    setActive(-1)
  }

  async function suggest(): Promise<void> {
    // A browser that fills in the whole form by itself asks for nothing.
    const used = () => document.activeElement === input
    const uf = new FormData(input.form ?? undefined).get('estado')
    if (!uf || !used()) return
    const query = cities(String(uf))
    const known = store.peek(query)
    const { data } = known?.data ? known : await store.read(query)
    if (used()) show(matchingCities(data?.municipios ?? [], input.value))
  }

  function choose(name = ''): void {
    putInto(input, name)
    show([])
  }

  function followKey(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (!open) return
    // One place of the round is the field itself, where nothing is chosen.
    if (step) setActive(((active + 1 + step + shown.length + 1) % (shown.length + 1)) - 1)
    else if (event.key === 'Escape') show([])
    else if (event.key === 'Enter' && active >= 0) choose(shown[active])
    else return
    event.preventDefault()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field was entered before this arrived, once
  useEffect(() => void suggest(), [])

  // With the drawing: a key that is pressed at what has just appeared is meant for it.
  useLayoutEffect(() => {
    const leaving = new AbortController()
    const listen = { signal: leaving.signal }
    input.addEventListener('focus', suggest, listen)
    input.addEventListener('click', suggest, listen)
    input.addEventListener('input', suggest, listen)
    input.addEventListener('keydown', followKey, listen)
    input.addEventListener('blur', () => show([]), listen)
    return () => leaving.abort()
  })

  useLayoutEffect(() => {
    input.setAttribute('aria-expanded', String(open))
    input.setAttribute('aria-controls', open ? list : '')
    input.setAttribute('aria-activedescendant', active < 0 ? '' : optionId(active))
  }, [input, open, active])

  return (
    <>
      {open && (
        <div className="suggestions" id={list} role="listbox" aria-label="Cidades sugeridas">
          {shown.map((name, index) => (
            <button
              key={name}
              id={optionId(index)}
              type="button"
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              // Pressing must not take the cursor out of the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <span className="hidden" role="status">
        {open && (shown.length === 1 ? '1 cidade sugerida' : `${shown.length} cidades sugeridas`)}
      </span>
    </>
  )
}
