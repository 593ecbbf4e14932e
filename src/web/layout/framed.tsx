import type { ReactNode } from 'react'
import { useOutboundLinkProps, usePageContext } from '#web/api/page-context.ts'
import { Logo } from '#web/ui/icons.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import './framed.css'

/** Layout of pages embedded in other sites: no header and no footer, only a line that names the site. */
export function Framed({ children }: { children: ReactNode }) {
  const { site } = usePageContext()
  return (
    <div className="framed">
      {/* The embedding page may have its own main element: screen readers distinguish the two by their label. */}
      <main id="conteudo" aria-labelledby="titulo">
        {children}
        <p className="framed-origin">
          {site.logo ? <img src={site.logo} width={24} height={24} alt="" /> : <Logo size={24} />}
          <span>
            Uma iniciativa de{' '}
            <a href="/" {...useOutboundLinkProps()}>
              {site.movimento}
            </a>
          </span>
        </p>
      </main>
      <Toaster />
    </div>
  )
}
