import type { ReactNode } from 'react'
import { ContactLink } from '#web/layout/contact-link.tsx'
import { FooterContent } from '#web/layout/footer.tsx'
import { HeaderContent } from '#web/layout/header.tsx'
import { Static } from '#web/ui/static.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import '#web/ui/skip-link.css'
import './header.css'
import './footer.css'
import './layout.css'

export function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#conteudo">
        Pular para o conteúdo
      </a>
      <Static tag="header" className="header">
        {RENDERS_STATIC && <HeaderContent />}
      </Static>
      <main id="conteudo" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <Static className="footer-content">{RENDERS_STATIC && <FooterContent />}</Static>
        <ContactLink />
      </footer>
      <Toaster />
    </>
  )
}
