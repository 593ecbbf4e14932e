// A button to talk to us, at the end of every page; on a wide screen it floats beside the content.
import { useVisit } from '#web/api/visit.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'

export function ContactLink() {
  const { whatsapp, mensagem } = useVisit().site.contato
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
