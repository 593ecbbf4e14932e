// An e-mail as its reader sees it, in a frame that can do nothing: no scripts, no forms, no windows, and under the policy of this page, so
// that it loads nothing either. The policy would also refuse its inline styles: they are taken out and given back one by one.
import { useEffect, useRef } from 'react'
import { trustedHtml } from '#web/ui/trusted.ts'

export function EmailFrame({ html, title }: { html: string; title: string }) {
  const element = useRef<HTMLIFrameElement>(null)

  useEffect(() => {
    const frame = element.current
    if (!frame) return
    const dress = () => {
      for (const part of frame.contentDocument?.querySelectorAll<HTMLElement>('[data-style]') ?? [])
        part.style.cssText = part.dataset.style ?? ''
      // They are for one person, and act.
      for (const link of frame.contentDocument?.querySelectorAll('a') ?? []) link.removeAttribute('href')
      frame.style.height = `${(frame.contentDocument?.documentElement.scrollHeight ?? 0) + 8}px`
    }
    frame.addEventListener('load', dress)
    frame.srcdoc = trustedHtml(html.replace(/<style[^>]*>.*?<\/style>/gis, '').replace(/\sstyle="/gi, ' data-style="'))
    return () => frame.removeEventListener('load', dress)
  }, [html])

  return <iframe ref={element} className="email-frame" title={title} sandbox="allow-same-origin" />
}
