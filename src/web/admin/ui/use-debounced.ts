import { useEffect, useState } from 'react'

export function useDebounced<T>(value: T, pauseMs: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setDebounced, pauseMs, value)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return debounced
}
