// Head of a page: title, the question it answers, a link to the parent page and actions.
import { type ReactNode, useEffect } from 'react'
import { BackIcon } from '#web/admin/ui/icons.tsx'
import { site } from '#web/admin/ui/site.ts'
import './page.css'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${site.movimento}`
  }, [title])
}

interface PageProps {
  title: string
  /** Link to the parent page. */
  above?: ReactNode
  /** One sentence: the question that the page answers. */
  intro?: ReactNode
  /** At most one of them is primary (`button-yellow`). */
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, above, intro, actions, children }: PageProps) {
  useTitle(title)
  return (
    <>
      <header className="page-head">
        <div>
          {above && (
            <div className="page-above">
              <BackIcon size={18} />
              {above}
            </div>
          )}
          <h1>{title}</h1>
          {intro && <p>{intro}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}
