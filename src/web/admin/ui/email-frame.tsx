import { useEffect, useRef } from 'react'
import { trustedHtml } from '#web/ui/trusted-types.ts'
import './email-frame.css'

/**
 * Displays an e-mail in a frame without scripts, forms or popups. The frame has the CSP of this page, so it also loads
 * nothing. The CSP would block inline styles too, so they are moved to `data-style` and set one by one.
 */
export function EmailFrame({ html, title }: { html: string; title: string }) {
  const element = useRef<HTMLIFrameElement>(null)

  useEffect(() => {
    const frame = element.current
    if (!frame) return
    const prepareContent = () => {
      for (const styled of frame.contentDocument?.querySelectorAll<HTMLElement>('[data-style]') ?? [])
        styled.style.cssText = styled.dataset.style ?? ''
      // The links are personal and trigger actions.
      for (const link of frame.contentDocument?.querySelectorAll('a') ?? []) link.removeAttribute('href')
      frame.style.height = `${(frame.contentDocument?.documentElement.scrollHeight ?? 0) + 8}px`
    }
    frame.addEventListener('load', prepareContent)
    frame.srcdoc = trustedHtml(html.replace(/<style[^>]*>.*?<\/style>/gis, '').replace(/\sstyle="/gi, ' data-style="'))
    return () => frame.removeEventListener('load', prepareContent)
  }, [html])

  return <iframe ref={element} className="email-frame" title={title} sandbox="allow-same-origin" />
}
