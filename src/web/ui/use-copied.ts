import { useEffect, useState } from 'react'

const feedbackMs = 2_000

/** Whether something was copied in the last two seconds, for the text of the copy button. */
export function useCopied(): [copied: boolean, markCopied: () => void] {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (!copiedAt) return
    const timer = setTimeout(setCopiedAt, feedbackMs, 0)
    return () => clearTimeout(timer)
  }, [copiedAt])
  return [copiedAt > 0, () => setCopiedAt(performance.now())]
}
