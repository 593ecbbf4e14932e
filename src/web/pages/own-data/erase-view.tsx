// Erases everything: asks first, and changes something only when the box is ticked and the button is pressed.
import { fillPath } from '#contract/endpoint.ts'
import { ownDataMessages, ownDataPath, ownDataPaths } from '#contract/own-data.ts'
import { ownData } from '#web/api/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import '#web/forms/form-card.css'
import { Article } from '#web/layout/article.tsx'
import { FormRefusal, PlainCheck } from '#web/pages/own-data/plain-field.tsx'
import { recordTitle } from '#web/pages/own-data/record-title.ts'

export function EraseView() {
  const { params, path } = usePageContext()
  const token = params.token ?? ''
  const { data } = useQuery(ownData(token))
  if (!data) return null
  const { endereco, enderecoPrincipal, registros, conversas } = data
  return (
    <Article
      sticker="Meus dados"
      title="Apagar tudo"
      lead="Apagamos o que está ligado a este e-mail. Suas assinaturas deixam de contar. Isso não tem volta."
    >
      {enderecoPrincipal ? (
        <p>
          {ownDataMessages.eraseNeedsMailbox} <a href={ownDataPath}>Peça o link</a> com{' '}
          <strong>{enderecoPrincipal}</strong>.
        </p>
      ) : (
        <form method="post" action={path} className="card own-data-record">
          <FormRefusal />
          <p>
            E-mail: <strong>{endereco}</strong>, também nas formas com um “+” antes do “@”.
          </p>
          <ul>
            {registros.map((record) => (
              <li key={record.id}>{recordTitle(record)}</li>
            ))}
            {conversas.length > 0 && (
              <li>{conversas.length === 1 ? '1 conversa com o robô' : `${conversas.length} conversas com o robô`}</li>
            )}
            <li>Etiquetas e notas da equipe, e-mails na fila e links dos e-mails que você já recebeu</li>
          </ul>
          <p>
            Fica só um código que não diz quem você é, para não escrevermos a quem pediu silêncio e para uma cópia
            antiga não trazer os dados de volta.
          </p>
          <PlainCheck name="confirmo" label="Quero apagar tudo, e sei que não tem volta" />
          <button className="button button-sign submit" type="submit">
            Apagar meus dados
          </button>
        </form>
      )}
      <p>
        <a href={fillPath(ownDataPaths.opened, { token })}>Voltar sem mudar nada</a>
      </p>
    </Article>
  )
}
