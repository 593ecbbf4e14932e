// Parts of a page that never change after the server has rendered them. The public build omits their code, and the
// browser keeps their HTML. The preview and the development server render them in the browser.
import { type ReactNode, useState } from 'react'
import { trustedHtml } from '#web/ui/trusted-types.ts'

declare global {
  /**
   * In the public build `RENDERS_STATIC && <Part />` omits the part and everything that it imports, except styles. The
   * build replaces the name: it would keep imports that depend on a constant of another module.
   */
  const RENDERS_STATIC: boolean
}

interface StaticProps {
  tag?: 'div' | 'header'
  /** Identifies the element: no other element may have this class. */
  className: string
  children: ReactNode
}

export function Static({ tag: Tag = 'div', className, children }: StaticProps) {
  // React does not change this HTML during hydration. It needs it only if it has to render the whole page again. The
  // object stays the same: React would parse the HTML of a new one again, and a selection in it would be lost.
  const [html] = useState(() => ({
    __html: RENDERS_STATIC ? '' : trustedHtml(document.querySelector(`.${className}`)?.innerHTML ?? ''),
  }))
  if (RENDERS_STATIC) return <Tag className={className}>{children}</Tag>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this HTML comes from our server
  return <Tag className={className} suppressHydrationWarning dangerouslySetInnerHTML={html} />
}
