// The frame of every public page: skip link, header, footer, notices.
import type { ReactNode } from 'react'
import { Footer } from '#web/layout/footer.tsx'
import { Header } from '#web/layout/header.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import './layout.css'

export function Layout({ children }: { children: ReactNode }) {
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
