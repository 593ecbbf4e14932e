// The frame of every public page: skip link, header, footer, notices.
import type { ReactNode } from 'react'
import { useVisit } from '#web/api/visit.ts'
import { Footer } from '#web/layout/footer.tsx'
import { Framed } from '#web/layout/framed.tsx'
import { Header } from '#web/layout/header.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import './layout.css'

export function Layout({ children }: { children: ReactNode }) {
  const { framed } = useVisit()
  if (framed) return <Framed>{children}</Framed>
  return (
    <>
      <a className="skip-link" href="#conteudo">
        Pular para o conteúdo
      </a>
      <Header />
      <main id="conteudo" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <Toaster />
    </>
  )
}
