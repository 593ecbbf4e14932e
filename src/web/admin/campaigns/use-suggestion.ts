import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from 'react'

interface SuggestedInput {
  ref: RefObject<HTMLInputElement | null>
  value: string
  defaultValue: undefined
  onChange(event: ChangeEvent<HTMLInputElement>): void
}

interface SuggestionOptions {
  initial: string
  /** The initial value is not the suggestion. */
  startsEdited: boolean
}

/** Value of an input: a suggestion, until the user types into it. An input that the user empties is filled again. */
export function useSuggestion(suggestion: string, { initial, startsEdited }: SuggestionOptions): SuggestedInput {
  const ref = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(startsEdited ? initial : undefined)
  const value = typed ?? suggestion

  // In an effect, so that the form's input handler finds the new value. It does not reach `onChange`, because React
  // knows the value already.
  const rendered = useRef(value)
  useEffect(() => {
    if (rendered.current === value) return
    rendered.current = value
    ref.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [value])

  return { ref, value, defaultValue: undefined, onChange: ({ target }) => setTyped(target.value || undefined) }
}
