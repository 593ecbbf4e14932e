// A value once it has rested: what changes with every key is acted upon when somebody pauses.
import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setSettled, pauseMs, value)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
