// Hands an address to the phone's own share sheet or, where there is none, to the clipboard.
import { type RefObject, useEffect, useState } from 'react'
import type { Share } from '#contract/share.ts'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { LinkIcon } from '#web/ui/icons.tsx'
import { useCopied } from '#web/ui/use-copied.ts'

interface CopyLinkProps extends Share {
  /** Where the address can be read. */
  shown: RefObject<HTMLElement | null>
}

export function CopyLink({ text, url, shown }: CopyLinkProps) {
  const [selected, setSelected] = useState(false)
  const [hasSheet, setHasSheet] = useState(false)
  const [copied, markCopied] = useCopied()

  // On a computer the sheet is a detour: there people want the address.
  useEffect(() => setHasSheet('share' in navigator && matchMedia('(pointer: coarse)').matches), [])

  async function passOn(): Promise<void> {
    if (hasSheet && (await share())) return
    // Without https there is no clipboard, and some apps refuse it.
    if (await copyOrSelect(url, shown.current)) return markCopied()
    shown.current?.scrollIntoView({ block: 'nearest' })
    setSelected(true)
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
      <span className={selected ? '' : 'hidden'} role="status">
        {copied ? 'Link copiado' : selected && 'O endereço acima está selecionado: agora é só copiar.'}
      </span>
    </>
  )
}
