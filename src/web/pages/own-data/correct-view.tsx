// Corrects one record, with the rules of the form that it came from.
import { fillPath } from '#contract/endpoint.ts'
import { ownDataMessages, ownDataPaths } from '#contract/own-data.ts'
import { stateCodes, states } from '#contract/states.ts'
import { ownData } from '#web/api/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import '#web/forms/form-card.css'
import { Article } from '#web/layout/article.tsx'
import { FormRefusal, PlainField, PlainSelect } from '#web/pages/own-data/plain-field.tsx'
import { recordTitle } from '#web/pages/own-data/record-title.ts'

const labels: Record<string, string> = {
  nome: 'Nome',
  name: 'Nome',
  whatsapp: 'WhatsApp',
  cidade: 'Cidade',
  estado: 'Estado',
  redesSociais: 'Redes sociais',
  redes_sociais: 'Redes sociais',
}

/** Fields of these forms that may stay empty. */
const isOptional = (tipo: string, name: string) =>
  name === 'redes_sociais' || (name === 'redesSociais' && tipo === 'assinaturas')

export function CorrectView() {
  const { params, path } = usePageContext()
  const { token = '', id = '' } = params
  const record = useQuery(ownData(token)).data?.registros.find((one) => one.id === id)
  const back = fillPath(ownDataPaths.opened, { token })
  if (!record)
    return (
      <Article sticker="Meus dados" title="Corrigir" lead={ownDataMessages.recordNotFound}>
        <p>
          <a href={back}>Voltar para os meus dados</a>
        </p>
      </Article>
    )
  const { tipo, correcao } = record
  return (
    <Article
      sticker="Meus dados"
      title="Corrigir"
      lead="Mude o que estiver errado e aperte o botão. Nada muda antes disso."
    >
      <form method="post" action={path} className="card" aria-labelledby="registro">
        <h2 id="registro">{recordTitle(record)}</h2>
        <FormRefusal labels={Object.fromEntries(correcao.map(({ campo }) => [campo, labels[campo] ?? campo]))} />
        {correcao.map(({ campo, valor }) => (
          <CorrectedField key={campo} name={campo} stored={valor} required={!isOptional(tipo, campo)} />
        ))}
        <button className="button button-sign submit" type="submit">
          Salvar a correção
        </button>
        <p className="consent">
          O e-mail não muda por aqui: ele prova que é você. Para trocar, cadastre-se com o e-mail novo e retire o
          antigo.
        </p>
      </form>
      <p>
        <a href={back}>Voltar sem mudar nada</a>
      </p>
    </Article>
  )
}

interface CorrectedFieldProps {
  name: string
  stored: string
  required: boolean
}

function CorrectedField({ name, stored, required }: CorrectedFieldProps) {
  const common = { name, label: labels[name] ?? name, stored, required }
  if (name === 'estado')
    return (
      <PlainSelect {...common} autoComplete="address-level1">
        {stateCodes.map((code) => (
          <option key={code} value={code}>
            {`${code} · ${states[code]}`}
          </option>
        ))}
      </PlainSelect>
    )
  if (name === 'whatsapp') return <PlainField {...common} type="tel" inputMode="tel" autoComplete="tel" />
  if (name === 'cidade') return <PlainField {...common} autoComplete="address-level2" />
  if (name === 'nome' || name === 'name') return <PlainField {...common} autoComplete="name" autoCapitalize="words" />
  return <PlainField {...common} />
}
