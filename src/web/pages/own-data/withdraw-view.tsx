// Withdraws one signature: asks first, and changes something only when the button is pressed.
import { fillPath } from '#contract/endpoint.ts'
import { ownDataMessages, ownDataPaths } from '#contract/own-data.ts'
import { ownData } from '#web/api/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import '#web/forms/form-card.css'
import { Article } from '#web/layout/article.tsx'

export function WithdrawView() {
  const { params, path, form } = usePageContext()
  const { token = '', id = '' } = params
  const records = useQuery(ownData(token)).data?.registros ?? []
  const signature = records.find((one) => one.id === id && one.tipo === 'assinaturas')
  const back = fillPath(ownDataPaths.opened, { token })
  return (
    <Article
      sticker="Meus dados"
      title="Retirar a assinatura"
      lead={signature ? 'Ela deixa de contar, e apagamos os dados que vieram com ela.' : ownDataMessages.recordNotFound}
    >
      {signature && (
        <form method="post" action={path} className="card">
          {form && <p role="alert">{form.message}</p>}
          <p>
            Petição: <strong>{signature.campanha}</strong>
          </p>
          <p>Isso não tem volta, mas dá para assinar de novo.</p>
          <button className="button button-sign submit" type="submit">
            Retirar a assinatura
          </button>
        </form>
      )}
      <p>
        <a href={back}>{signature ? 'Voltar sem mudar nada' : 'Voltar para os meus dados'}</a>
      </p>
    </Article>
  )
}
