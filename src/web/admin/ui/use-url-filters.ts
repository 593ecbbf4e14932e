// Filters and page of a list, kept in the URL, so that a list can be bookmarked and comes back after a login.
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

type Changes = Record<string, string>
interface History {
  /** Replaces the current entry of the browser's history. */
  replace?: boolean
}

const cursorNames = ['antes', 'depois'] as const

/** While a year is typed, a date input reports 0002, 0020, 0202. */
const isIncompleteDate = (value: unknown) => /^0\d{3}-\d\d-\d\d$/.test(String(value))

export type UrlFilters<Name extends string> = ReturnType<typeof useUrlFilters<Name>>

/** `debounceMs`: typed values are applied after this pause. Without it, `apply` has to be called. */
export function useUrlFilters<Name extends string>(names: readonly Name[], { debounceMs = 0 } = {}) {
  type Filters = Record<Name, string>
  const [params, setParams] = useSearchParams()
  const valuesOf = <Key extends string>(keys: readonly Key[]) =>
    Object.fromEntries(keys.map((key) => [key, params.get(key) ?? ''])) as Record<Key, string>
  const filters: Filters = valuesOf(names)
  const [seen, setSeen] = useState(filters)
  const [typed, setTyped] = useState<Record<string, string | undefined>>({})
  const [isPending, setPending] = useState(false)
  const [clearCount, setClearCount] = useState(0)

  // Navigation may change the URL. The fields then show the new values, except while the user is typing. A trailing
  // space, which is not in the URL, starts the next word.
  const changed = names.filter((name) => seen[name] !== filters[name])
  if (changed.length > 0) {
    setSeen(filters)
    const isOutdated = (name: Name) =>
      typed[name] === filters[name] || (!isPending && typed[name]?.trim() !== filters[name])
    setTyped({ ...typed, ...Object.fromEntries(changed.filter(isOutdated).map((name) => [name, undefined])) })
  }

  /** Filters with an empty value are removed from the URL. Every change starts at the first page. */
  function change(changes: Changes, history: History = {}): void {
    setParams((current) => {
      const next = new URLSearchParams()
      const others = [...current.keys()].filter((name) => !cursorNames.some((cursorName) => cursorName === name))
      for (const name of new Set([...names, ...others, ...Object.keys(changes)])) {
        const value = changes[name] ?? current.get(name)
        if (value) next.set(name, value)
      }
      return next
    }, history)
  }

  /** Applies the typed values, and further changes. */
  function apply(changes: Changes = {}, history?: History): void {
    setPending(false)
    const texts = Object.entries(typed).flatMap(([name, text]) => (text === undefined ? [] : [[name, text.trim()]]))
    change({ ...Object.fromEntries(texts), ...changes }, history)
  }

  useEffect(() => {
    if (!isPending || Object.values(typed).some(isIncompleteDate)) return
    const timer = setTimeout(apply, debounceMs, {}, { replace: true })
    return () => clearTimeout(timer)
  })

  return {
    filters,
    isFiltered: names.some((name) => filters[name]),
    cursor: valuesOf(cursorNames),
    change,
    apply,
    /** What the fields show. */
    values: Object.fromEntries(names.map((name) => [name, typed[name] ?? filters[name]])) as Filters,
    isPending,
    type(name: Name, text: string): void {
      setTyped((current) => ({ ...current, [name]: text }))
      setPending(debounceMs > 0)
    },
    /** Key of date inputs: an incomplete date has an empty value for React, so only a new input clears it. */
    clearCount,
    clear(history?: History): void {
      const empty = Object.fromEntries(names.filter((name) => filters[name]).map((name) => [name, '']))
      setTyped(empty)
      setPending(false)
      setClearCount(clearCount + 1)
      change(empty, history)
    },
  }
}
