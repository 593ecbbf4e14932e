// Drafts of unsent forms in sessionStorage, saved when the session expires and while the page is hidden.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { sessionStore } from '#web/admin/session/browser-storage.ts'
import { currentUser, onExpiry, readToken } from '#web/admin/session/session.ts'
import { valuesOf } from '#web/forms/submission/form-values.ts'

export type FormTexts = Record<string, string | string[]>

interface StoredDraft {
  /** Storage key of the form. */
  key: string | undefined
  /** Values that an earlier form has saved. */
  restored: FormTexts | undefined
}

/** A form without a name keeps no draft. */
export function useStoredDraft(name: string | undefined): StoredDraft {
  const { pathname } = useLocation()
  const [draft] = useState(() => {
    const key = name && draftKey(pathname, name)
    return { key, restored: readDraft(key) }
  })
  return draft
}

interface FormState {
  element: RefObject<HTMLFormElement | null>
  touched: boolean
}

/** Returns a function that discards the draft, for when the form was sent. */
export function useDraftAutosave({ key, restored }: StoredDraft, { element, touched }: FormState): () => void {
  const isSaved = useRef(false)

  const discard = useCallback(() => {
    if (key && isSaved.current) sessionStore.removeItem(key)
    isSaved.current = false
  }, [key])

  useEffect(() => {
    if (!key) return
    const save = () => {
      if (!touched || !element.current) return
      isSaved.current = true
      sessionStore.setItem(key, JSON.stringify(textsOf(element.current)))
    }
    // A phone may discard a hidden tab without a further event.
    const onVisibilityChange = () => (document.visibilityState === 'hidden' ? save() : discard())
    const unsubscribe = onExpiry(() => {
      save()
      // Not discarded on unmount: the form restores it after the login.
      isSaved.current = false
    })
    document.addEventListener('visibilitychange', onVisibilityChange)
    addEventListener('pagehide', save)
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pagehide', save)
    }
  }, [key, element, touched, discard])

  // In an effect: React may discard a render and start again, and the draft would be lost with the first one.
  useEffect(() => {
    if (restored) isSaved.current = true
    if (document.visibilityState === 'visible') discard()
    // A form that unmounts during a session was sent, or left on purpose.
    return discard
  }, [restored, discard])

  return discard
}

/**
 * Contains the user name: another user of the same screen must not get the draft. While the name is unknown, the token
 * takes its place.
 */
const draftKey = (pathname: string, name: string) => `rascunho de ${currentUser() || readToken()} ${pathname} ${name}`

/** Saves a draft for a form that is opened next. */
export function saveDraft(pathname: string, name: string, values: FormTexts): void {
  sessionStore.setItem(draftKey(pathname, name), JSON.stringify(values))
}

function readDraft(key: string | undefined): FormTexts | undefined {
  const stored = key && sessionStore.getItem(key)
  return stored ? (JSON.parse(stored) as FormTexts) : undefined
}

/** The field values, without files and passwords. */
export function textsOf(form: HTMLFormElement): FormTexts {
  const passwordFields = new Set(
    Array.from(form.querySelectorAll<HTMLInputElement>('[type=password]'), ({ name }) => name),
  )
  const entries = Object.entries(valuesOf(form, [])).filter(
    ([name, value]) => !passwordFields.has(name) && typeof value === 'string',
  )
  return Object.fromEntries(entries) as FormTexts
}
