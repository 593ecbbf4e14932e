// `/descadastrar/…`: an address that wants no more e-mails. Mail programs press the button by themselves, at the same address.
import { OneButton } from '#web/pages/email-links/one-button.tsx'

export default function UnsubscribePage() {
  return (
    <OneButton
      asking={{
        sticker: 'E-mails',
        title: 'Não quero mais e-mails',
        lead: 'Aperte o botão e este endereço não recebe mais nada nosso.',
        children: <p>Suas assinaturas e seus cadastros continuam valendo.</p>,
      }}
      button="Parar os e-mails"
      done={{
        sticker: 'Pronto',
        title: 'Você não recebe mais e-mails nossos',
        lead: 'O pedido já vale. Suas assinaturas e seus cadastros continuam como estavam.',
      }}
    />
  )
}
