// A page of the area: its title in the tab and on top, what can be done there, and its content.
import { type ReactNode, useEffect } from 'react'
import { site } from '#web/admin/site.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${site.movimento}`
  }, [title])
}

interface PageProps {
  title: string
  /** Where it belongs to, for pages below another. */
  above?: ReactNode
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, above, intro, actions, children }: PageProps) {
  useTitle(title)
  return (
    <>
      <header className="page-head">
        <div>
          {above}
          <h1>{title}</h1>
          {intro && <p>{intro}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}
