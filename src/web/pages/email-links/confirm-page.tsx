// `/confirmar/…`: the owner of the address says that the signature is theirs.
import { whatsAppShare } from '#contract/share.ts'
import { useVisit } from '#web/api/visit.ts'
import '#web/forms/form-card.css'
import { OneButton } from '#web/pages/email-links/one-button.tsx'
import { WhatsAppIcon } from '#web/ui/icons.tsx'

export default function ConfirmPage() {
  return (
    <OneButton
      asking={{
        sticker: 'Falta um toque',
        title: 'Confirme sua assinatura',
        lead: 'Foi você que assinou? Então aperte o botão: assim mostramos que há gente de verdade por trás do número.',
        children: <p>Sua assinatura já conta. Confirmar diz que o e-mail é mesmo seu.</p>,
      }}
      button="Confirmar minha assinatura"
      done={{
        sticker: 'Confirmada',
        title: 'Assinatura confirmada',
        lead: 'Obrigado! Agora ajude a causa a ir mais longe.',
        children: (
          <>
            <PassOn />
            <ul className="article-ways">
              <li>
                <a className="button" href="/conteudos-destaque">
                  Ver conteúdos para compartilhar
                </a>
              </li>
              <li>
                <a className="button" href="/">
                  Fazer parte do movimento
                </a>
              </li>
            </ul>
          </>
        ),
      }}
    />
  )
}

/** The link says nothing of which petition it was: what is passed on is the movement. */
function PassOn() {
  const { site, publicUrl } = useVisit()
  return (
    <section className="card thank-you" aria-labelledby="passar-adiante">
      <p className="stamp" aria-hidden="true">
        Assinado
      </p>
      <h2 id="passar-adiante">Chame mais gente</h2>
      <a
        className="button button-whatsapp"
        href={whatsAppShare({ text: `Assinei com o ${site.movimento}. Vem também!`, url: `${publicUrl}/` })}
      >
        <WhatsAppIcon /> Compartilhar no WhatsApp
      </a>
    </section>
  )
}
