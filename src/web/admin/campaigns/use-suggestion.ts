// Fills a field with a suggestion until somebody types into it; emptied by hand, it is suggested again.
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'

interface SuggestedInput {
  ref: RefObject<HTMLInputElement | null>
  onInput(event: FormEvent<HTMLInputElement>): void
}

/** `startsOwn`: what the field starts with is not the suggestion. */
export function useSuggestion(suggestion: string, startsOwn: boolean): SuggestedInput {
  const input = useRef<HTMLInputElement>(null)
  const [isOwn, setOwn] = useState(startsOwn)

  useEffect(() => {
    const field = input.current
    if (isOwn || !field || field.value === suggestion) return
    field.value = suggestion
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }, [suggestion, isOwn])

  // What the suggestion writes is not typed by anybody.
  return { ref: input, onInput: ({ nativeEvent }) => nativeEvent.isTrusted && setOwn(input.current?.value !== '') }
}
