// Corrects one record, with the rules of the form that it came from.
import { fillPath } from '#contract/endpoint.ts'
import { ownDataMessages, ownDataPaths } from '#contract/own-data.ts'
import { stateCodes, states } from '#contract/states.ts'
import { ownData } from '#web/api/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { FormProblems, SelectField, TextField } from '#web/forms/fields/field.tsx'
import '#web/forms/form-card.css'
import { Article } from '#web/layout/article.tsx'
import { recordTitle } from '#web/pages/own-data/record-title.ts'
import { returnedFields } from '#web/pages/own-data/returned-fields.ts'

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
  const { params, path, form } = usePageContext()
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
  const names = correcao.map(({ campo }) => campo)
  const fields = returnedFields(form, Object.fromEntries(correcao.map(({ campo, valor }) => [campo, valor])))
  return (
    <Article
      sticker="Meus dados"
      title="Corrigir"
      lead="Mude o que estiver errado e aperte o botão. Nada muda antes disso."
    >
      <form method="post" action={path} className="card" aria-labelledby="registro">
        <h2 id="registro">{recordTitle(record)}</h2>
        {form && (
          <FormProblems
            form={{ errors: form.errors, message: form.message, step: 'editing' }}
            labels={Object.fromEntries(names.map((name) => [name, labels[name] ?? name]))}
          />
        )}
        {names.map((name) => (
          <CorrectedField key={name} name={name} fields={fields} required={!isOptional(tipo, name)} />
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
  fields: ReturnType<typeof returnedFields>
  required: boolean
}

function CorrectedField({ name, fields, required }: CorrectedFieldProps) {
  const common = { form: fields, name, label: labels[name] ?? name, required }
  if (name === 'estado')
    return (
      <SelectField {...common} autoComplete="address-level1">
        {stateCodes.map((code) => (
          <option key={code} value={code}>
            {`${code} · ${states[code]}`}
          </option>
        ))}
      </SelectField>
    )
  if (name === 'whatsapp') return <TextField {...common} type="tel" inputMode="tel" autoComplete="tel" />
  if (name === 'cidade') return <TextField {...common} autoComplete="address-level2" />
  if (name === 'nome' || name === 'name') return <TextField {...common} autoComplete="name" autoCapitalize="words" />
  return <TextField {...common} />
}
