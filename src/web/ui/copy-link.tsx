// Hands an address to the phone's own share sheet or, where there is none, to the clipboard.
import { useEffect, useState } from 'react'
import type { Share } from '#contract/share.ts'
import { LinkIcon } from '#web/ui/icons.tsx'
import { useCopied } from '#web/ui/use-copied.ts'

export function CopyLink({ text, url }: Share) {
  const [hasSheet, setHasSheet] = useState(false)
  const [copied, markCopied] = useCopied()

  // On a computer the sheet is a detour: there people want the address.
  useEffect(() => setHasSheet('share' in navigator && matchMedia('(pointer: coarse)').matches), [])

  async function passOn(): Promise<void> {
    if (hasSheet && (await share())) return
    try {
      await navigator.clipboard.writeText(url)
      markCopied()
    } catch {
      // Without https there is no clipboard, and within some apps it is refused: the browser's own window lets the address be copied.
      prompt('Copie o endereço:', url)
    }
  }

  /** Closing the sheet is a choice, not a failure; and a second tap finds it open already. */
  const share = () =>
    navigator.share({ text, url }).then(
      () => true,
      ({ name }: Error) => name === 'AbortError' || name === 'InvalidStateError',
    )

  return (
    <>
      <button className="button button-yellow" type="button" onClick={() => void passOn()}>
        <LinkIcon /> {copied ? 'Copiado!' : hasSheet ? 'Mais opções' : 'Copiar link'}
      </button>
      <span className="hidden" role="status">
        {copied && 'Link copiado'}
      </span>
    </>
  )
}
