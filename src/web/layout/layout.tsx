// The frame of every public page: skip link, header, footer, floating contact, notices.
import type { ReactNode } from 'react'
import { useVisit } from '#web/api/visit.ts'
import { Footer } from '#web/layout/footer.tsx'
import { Header } from '#web/layout/header.tsx'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import './layout.css'

export function Layout({ children }: { children: ReactNode }) {
  const { contato } = useVisit().site
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
      <a
        className="floating-contact"
        href={`https://wa.me/${contato.whatsapp}?text=${encodeURIComponent(contato.mensagem)}`}
        target="_blank"
        rel="noopener noreferrer"
        aria-label="Falar com a gente pelo WhatsApp"
      >
        <WhatsAppIcon size={30} />
      </a>
      <Toaster />
    </>
  )
}
