// `/nao-fui-eu/…`: the owner of the e-mail address deletes a signature that another person made with it.
import { emailLink } from '#web/api/email-links.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { ActionForm } from '#web/pages/email-links/action-form.tsx'

export default function NotMePage() {
  const { params } = usePageContext()
  const { data } = useQuery(emailLink('remover', params.token ?? ''))
  const petition = data?.campanha?.titulo
  return (
    <ActionForm
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
