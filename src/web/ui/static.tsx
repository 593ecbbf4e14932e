// Parts of a page that never change after the server has rendered them. The public build omits their code, and the
// browser keeps their HTML. The preview and the development server render them in the browser.
import { type ReactNode, useState } from 'react'
import { trustedHtml } from '#web/ui/trusted-types.ts'

/** Set by the build. */
declare const DRAWS_STATIC: boolean

/** In the public build `drawsStatic && <Part />` omits the part and everything that it imports, except styles. */
export const rendersStatic = DRAWS_STATIC

interface StaticProps {
  tag?: 'div' | 'header'
  /** Identifies the element: no other element may have this class. */
  className: string
  children: ReactNode
}

export function Static({ tag: Tag = 'div', className, children }: StaticProps) {
  // React does not change this HTML during hydration. It needs it only if it has to render the whole page again.
  const [html] = useState(() => (rendersStatic ? '' : (document.querySelector(`.${className}`)?.innerHTML ?? '')))
  if (rendersStatic) return <Tag className={className}>{children}</Tag>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this HTML comes from our server
  return <Tag className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
}
