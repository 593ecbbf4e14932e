// `/confirmar/…`: the owner of the address says that the signature is theirs.
import { OneButton } from '#web/pages/email-links/one-button.tsx'

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
          <ul className="article-ways">
            <li>
              <a className="button button-yellow" href="/conteudos-destaque">
                Ver conteúdos para compartilhar
              </a>
            </li>
            <li>
              <a className="button" href="/">
                Fazer parte do movimento
              </a>
            </li>
          </ul>
        ),
      }}
    />
  )
}
