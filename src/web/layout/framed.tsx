// The little that stands around a page inside somebody else's: no header, no footer, one line that says whose it is.
import type { ReactNode } from 'react'
import { useVisit, useWayOut } from '#web/api/visit.ts'
import { Logo } from '#web/ui/icons.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import './framed.css'

export function Framed({ children }: { children: ReactNode }) {
  const { site } = useVisit()
  return (
    <div className="framed">
      {/* Beside the other page's own: what cannot see the frame tells them apart by name. */}
      <main id="conteudo" aria-labelledby="titulo">
        {children}
        <p className="framed-origin">
          <Logo size={24} />
          <span>
            Uma iniciativa de{' '}
            <a href="/" {...useWayOut()}>
              {site.movimento}
            </a>
          </span>
        </p>
      </main>
      <Toaster />
    </div>
  )
}
