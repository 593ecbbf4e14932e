import { usePageContext } from '#web/api/page-context.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'

export function ContactLink() {
  const { whatsapp, mensagem } = usePageContext().site.contato
  return (
    <WhatsAppLink
      className="floating-contact"
      href={`https://wa.me/${whatsapp}?text=${encodeURIComponent(mensagem)}`}
      aria-label="Falar com a gente pelo WhatsApp"
    >
      <WhatsAppIcon size={30} />
    </WhatsAppLink>
  )
}
