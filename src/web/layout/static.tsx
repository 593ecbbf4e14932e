// Parts of a page that never change after the server has drawn them. The public build leaves their code out: the browser keeps their
// HTML as it is. The preview and the development server draw them in the browser.
import { type ReactNode, useState } from 'react'
import { trustedHtml } from '#web/ui/trusted.ts'

/** Set by the build. */
declare const DRAWS_STATIC: boolean

/** In the public build `drawsStatic && <Part />` leaves out the part and all that it imports, except styles. */
export const drawsStatic = DRAWS_STATIC

interface StaticProps {
  tag?: 'div' | 'header'
  /** Names the element; no other has it. */
  className: string
  children: ReactNode
}

export function Static({ tag: Tag = 'div', className, children }: StaticProps) {
  // React does not touch this HTML when it takes the page over. It needs it only if it has to draw the whole page again.
  const [html] = useState(() => (drawsStatic ? '' : (document.querySelector(`.${className}`)?.innerHTML ?? '')))
  if (drawsStatic) return <Tag className={className}>{children}</Tag>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is the server's own
  return <Tag className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
}
