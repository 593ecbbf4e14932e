// Whether something was copied a moment ago, so that its button can say so.
import { useEffect, useState } from 'react'

const feedbackMs = 2_000

export function useCopied(): [copied: boolean, markCopied: () => void] {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (!copiedAt) return
    const timer = setTimeout(setCopiedAt, feedbackMs, 0)
    return () => clearTimeout(timer)
  }, [copiedAt])
  return [copiedAt > 0, () => setCopiedAt(performance.now())]
}
