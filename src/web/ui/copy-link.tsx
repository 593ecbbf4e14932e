// Button that opens the share sheet of the phone or, where there is none, copies the URL.
import { type RefObject, useEffect, useState } from 'react'
import type { Share } from '#contract/share.ts'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { LinkIcon } from '#web/ui/icons.tsx'
import { useCopied } from '#web/ui/use-copied.ts'

interface CopyLinkProps extends Share {
  /** The element that displays the URL; selected if copying fails. */
  urlElement: RefObject<HTMLElement | null>
}

export function CopyLink({ text, url, urlElement }: CopyLinkProps) {
  const [selected, setSelected] = useState(false)
  const [hasSheet, setHasSheet] = useState(false)
  const [copied, markCopied] = useCopied()

  // Not on a computer: there people want the URL, and the share sheet is an additional step.
  useEffect(() => setHasSheet('share' in navigator && matchMedia('(pointer: coarse)').matches), [])

  async function shareOrCopy(): Promise<void> {
    if (hasSheet && (await share())) return
    // Without https there is no clipboard API, and some apps refuse access to it.
    if (await copyOrSelect(url, urlElement.current)) return markCopied()
    urlElement.current?.scrollIntoView({ block: 'nearest' })
    setSelected(true)
  }

  /** The user closing the sheet is no failure, and neither is a second tap while it is open. */
  const share = () =>
    navigator.share({ text, url }).then(
      () => true,
      ({ name }: Error) => name === 'AbortError' || name === 'InvalidStateError',
    )

  return (
    <>
      <button className="button button-yellow" type="button" onClick={() => void shareOrCopy()}>
        <LinkIcon /> {copied ? 'Copiado!' : hasSheet ? 'Mais opções' : 'Copiar link'}
      </button>
      <span className={selected ? '' : 'hidden'} role="status">
        {copied ? 'Link copiado' : selected && 'O endereço acima está selecionado: agora é só copiar.'}
      </span>
    </>
  )
}
