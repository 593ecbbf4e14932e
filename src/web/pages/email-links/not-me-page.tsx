// `/nao-fui-eu/…`: the owner of the address takes back a signature that somebody else made with it.
import { emailLink } from '#web/api/email-links.ts'
import { useQuery } from '#web/api/store.ts'
import { useVisit } from '#web/api/visit.ts'
import { OneButton } from '#web/pages/email-links/one-button.tsx'

export default function NotMePage() {
  const { params } = useVisit()
  const { data } = useQuery(emailLink('remover', params.token ?? ''))
  const petition = data?.campanha?.titulo
  return (
    <OneButton
      asking={{
        sticker: 'Não fui eu',
        title: 'Apagar esta assinatura',
        lead: 'Alguém usou o seu e-mail? Apague a assinatura e ela deixa de contar.',
        children: (
          <>
            {petition && (
              <p>
                Petição: <strong>{petition}</strong>
              </p>
            )}
            <p>Apagamos a assinatura e os dados que vieram com ela. Isso não tem volta, mas dá para assinar de novo.</p>
          </>
        ),
      }}
      button="Apagar a assinatura"
      done={{
        sticker: 'Apagada',
        title: 'Assinatura apagada',
        lead: 'Ela não conta mais, e os dados que vieram com ela foram apagados. Obrigado por avisar.',
        children: (
          <p>
            Mudou de ideia? Você pode assinar de novo quando quiser. <a href="/">Ir para o início</a>
          </p>
        ),
      }}
    />
  )
}
