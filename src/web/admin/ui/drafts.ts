// What was typed and not sent yet, put away in the tab's own storage: when the session ends, and while the page is out of sight.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { forThisTab } from '#web/admin/session/kept.ts'
import { onExpiry, readToken, whoIsIn } from '#web/admin/session/session.ts'
import { valuesOf } from '#web/forms/form-values.ts'

export type FormTexts = Record<string, string | string[]>

interface FoundDraft {
  /** Where the form of this name keeps its own. */
  place: string | undefined
  /** What an earlier one has put away. */
  found: FormTexts | undefined
}

/** A form without a name keeps none. */
export function useFoundDraft(name: string | undefined): FoundDraft {
  const { pathname } = useLocation()
  const [draft] = useState(() => {
    const place = name && placeOf(pathname, name)
    return { place, found: readDraft(place) }
  })
  return draft
}

interface Typed {
  element: RefObject<HTMLFormElement | null>
  lists: readonly string[]
  touched: boolean
}

/** Answers how to forget what was kept, once it is sent. */
export function useKeptDraft({ place, found }: FoundDraft, { element, lists, touched }: Typed): () => void {
  const isKept = useRef(false)

  const forget = useCallback(() => {
    if (place && isKept.current) forThisTab.removeItem(place)
    isKept.current = false
  }, [place])

  useEffect(() => {
    if (!place) return
    const keep = () => {
      if (!touched || !element.current) return
      isKept.current = true
      forThisTab.setItem(place, JSON.stringify(textsOf(element.current, lists)))
    }
    // A phone may drop the tab while something else is looked at, and says nothing then.
    const look = () => (document.visibilityState === 'hidden' ? keep() : forget())
    const stopListening = onExpiry(() => {
      keep()
      // Left for the form that is opened after the login.
      isKept.current = false
    })
    document.addEventListener('visibilitychange', look)
    addEventListener('pagehide', keep)
    return () => {
      stopListening()
      document.removeEventListener('visibilitychange', look)
      removeEventListener('pagehide', keep)
    }
  }, [place, element, lists, touched, forget])

  // Not while it is read: React may throw a drawing away and begin anew, and the draft would be gone with the first.
  useEffect(() => {
    if (found) isKept.current = true
    if (document.visibilityState === 'visible') forget()
    // A form that goes away while somebody is in was sent, or left on purpose.
    return forget
  }, [found, forget])

  return forget
}

/**
 * One who takes another's place at the same screen does not find what that one has typed. While the name is not known
 * the session stands for it, and no other finds it.
 */
const placeOf = (pathname: string, name: string) => `rascunho de ${whoIsIn() || readToken()} ${pathname} ${name}`

/** For a form that is opened next, and finds it. */
export function keepDraft(pathname: string, name: string, values: FormTexts): void {
  forThisTab.setItem(placeOf(pathname, name), JSON.stringify(values))
}

function readDraft(place: string | undefined): FormTexts | undefined {
  const kept = place && forThisTab.getItem(place)
  return kept ? (JSON.parse(kept) as FormTexts) : undefined
}

/** What is in the fields. Files and passwords are not kept. */
export function textsOf(form: HTMLFormElement, lists: readonly string[]): FormTexts {
  const secret = new Set(Array.from(form.querySelectorAll<HTMLInputElement>('[type=password]'), ({ name }) => name))
  const entries = Object.entries(valuesOf(form, lists)).filter(
    ([name, value]) => !secret.has(name) && (typeof value === 'string' || Array.isArray(value)),
  )
  return Object.fromEntries(entries) as FormTexts
}
