// Ways to share a page besides WhatsApp: the share sheet of the phone, other networks, and its URL.
import { useEffect, useRef, useState } from 'react'
import type { ShareChannel } from '#contract/campaigns.ts'
import { shareUrl, urlFrom } from '#contract/share.ts'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { newTab } from '#web/ui/new-tab.ts'
import { useCopied } from '#web/ui/use-copied.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'

export interface SharedPage {
  /** Name of the list of links. */
  label: string
  /** From the site settings, never from the address bar of the visitor. */
  url: string
  textFor(channel: ShareChannel): string
}

const networks = [
  ['telegram', 'Telegram'],
  ['facebook', 'Facebook'],
  ['twitter', 'Twitter'],
] as const

export function MoreWaysToShareLinks({
  label,
  url,
  textFor,
  withoutTwitter,
}: SharedPage & { withoutTwitter?: boolean }) {
  // The server renders no buttons: they would do nothing until the browser has loaded this code.
  const isHydrated = useHydrated()
  const hasSheet = isHydrated && 'share' in navigator
  const [copied, markCopied] = useCopied()
  const [isShown, showUrl] = useState(false)
  const address = useRef<HTMLElement>(null)

  /** Without https there is no clipboard, and some apps refuse access to it. */
  async function copy(): Promise<void> {
    if (await copyOrSelect(urlFrom(url, 'link'), address.current)) markCopied()
    else showUrl(true)
  }
  useEffect(() => {
    if (isShown && address.current) getSelection()?.selectAllChildren(address.current)
  }, [isShown])

  /** The user closing the sheet is no failure, and neither is a second tap while it is open. */
  const openSheet = () =>
    void navigator
      .share({ text: textFor('whatsapp'), url: urlFrom(url, 'compartilhar') })
      .catch(({ name }: Error) => void (name !== 'AbortError' && name !== 'InvalidStateError' && copy()))

  return (
    <>
      <ul className="share-kit" aria-label={label}>
        {hasSheet && (
          <li>
            <button className="button" type="button" onClick={openSheet}>
              Outros aplicativos
            </button>
          </li>
        )}
        {networks
          .filter(([channel]) => !(withoutTwitter && channel === 'twitter'))
          .map(([channel, name]) => (
            <li key={channel}>
              <a
                className="button"
                href={shareUrl[channel]({ text: textFor(channel), url: urlFrom(url, channel) })}
                {...newTab}
              >
                {name}
              </a>
            </li>
          ))}
        {isHydrated && (
          <li>
            <button className="button button-yellow" type="button" onClick={() => void copy()}>
              {copied ? 'Copiado!' : 'Copiar link'}
            </button>
          </li>
        )}
      </ul>
      {isHydrated && (
        <p className={isShown ? undefined : 'hidden'} role="status">
          {copied ? 'Link copiado' : isShown && 'Agora é só copiar o endereço: '}
          <span ref={address}>{isShown && urlFrom(url, 'link')}</span>
        </p>
      )}
    </>
  )
}
