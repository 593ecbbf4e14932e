// The columns of each field, the preview, the origin and the legal basis of a list that is not imported yet.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { genderNames, kindLabels, type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import {
  cancelImport,
  guessMapping,
  type ImportMapping,
  type ImportSummary,
  importFields,
  type PreviewRow,
  startImport,
} from '#contract/admin/people-import.ts'
import { maxOriginLength } from '#contract/origin.ts'
import { states } from '#contract/states.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { importQuery, previewQuery } from '#web/admin/people/import-queries.ts'
import { signedCampaignsQuery } from '#web/admin/people/people-queries.ts'
import { formatNumber, pluralize } from '#web/admin/ui/format-number.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { ApiFailure } from '#web/api/client.ts'
import '#web/forms/fields/field.css'

const { imports: texts } = adminMessages
const legalBases = [
  'lista em papel assinada em evento',
  'consentimento dado em formulário de outro site',
  'cadastro anterior do próprio movimento',
]
const absent = ''
const fixed = 'fixo'
const shownAccepted = 5

interface ImportSetupProps {
  summary: ImportSummary
  columns: string[]
}

export function ImportSetup({ summary, columns }: ImportSetupProps) {
  const { id, tipo, total } = summary
  const params = { id: String(id) }
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [mapping, setMapping] = useState<ImportMapping>(() => guessMapping(tipo, columns))
  const preview = useQuery(previewQuery(params.id, mapping))
  const campaigns = useQuery({ ...signedCampaignsQuery, enabled: tipo === 'assinaturas' })
  const starting = useMutation({
    mutationFn: (body: Record<string, unknown>) => callAdmin(startImport, { params, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: importQuery(params.id).queryKey }),
  })
  const cancelling = useMutation({
    mutationFn: () => callAdmin(cancelImport, { params }),
    onSuccess: () => void navigate(adminPaths.peopleImports),
  })
  const fields = Object.entries(importFields[tipo])
  const missing = fields.filter(([name, { required }]) => required && !mapping[name]).map(([, { label }]) => label)
  const used = new Set(Object.values(mapping).map(({ coluna }) => coluna))
  const unused = columns.filter((title, column) => title && !used.has(column))
  const errors = (starting.error instanceof ApiFailure && starting.error.refusal.errors) || {}
  const problem = starting.error ?? cancelling.error

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    starting.mutate({
      mapeamento: mapping,
      ...(tipo === 'assinaturas' && { campanha: String(data.get('campanha') ?? '') }),
      origem: String(data.get('origem')),
      baseLegal: String(data.get('baseLegal')),
      declaraNovidades: data.get('declaraNovidades') === 'on',
    })
  }

  return (
    <form className="import-setup" onSubmit={submit} noValidate>
      <section className="panel" aria-labelledby="colunas">
        <h2 id="colunas">1. Confira as colunas</h2>
        <p>
          {pluralize(total, 'linha', 'linhas')} para {kindLabels[tipo].list}. Escolha de qual coluna vem cada campo.
        </p>
        <div className="import-fields">
          {fields.map(([name, { label, required }]) => (
            <FieldSource
              key={name}
              name={name}
              label={required ? label : `${label} (opcional)`}
              columns={columns}
              source={mapping[name]}
              choices={choicesOf(tipo, name)}
              onChange={(source) => {
                const { [name]: _, ...others } = mapping
                setMapping(source ? { ...others, [name]: source } : others)
              }}
            />
          ))}
        </div>
        {unused.length > 0 && <p className="faint">Colunas que não entram: {unused.join(', ')}.</p>}
        {missing.length > 0 && <p className="notice">{texts.missing(missing)}</p>}
      </section>

      <section className="panel" aria-labelledby="previa">
        <h2 id="previa">2. Veja as primeiras linhas</h2>
        <QueryBoundary query={preview}>
          {({ linhas, aceitas }) => (
            <>
              <p role="status">
                {aceitas} de {pluralize(linhas.length, 'linha', 'linhas')} da amostra{' '}
                {aceitas === 1 ? 'entra' : 'entram'}. Repetidas e já cadastradas são rejeitadas na importação.
              </p>
              <ul className="import-preview">
                {shownRows(linhas).map(({ linha, celulas, motivo }) => (
                  <li key={linha} data-rejected={motivo ? true : undefined}>
                    <span className="faint">Linha {formatNumber(linha)}</span>
                    <span>{describeRow(celulas, fields, mapping)}</span>
                    {motivo ? <span className="error">{motivo}</span> : <span className="badge badge-good">entra</span>}
                  </li>
                ))}
                {aceitas > shownAccepted && (
                  <li className="faint">
                    e mais {pluralize(aceitas - shownAccepted, 'linha que entra', 'linhas que entram')}
                  </li>
                )}
              </ul>
            </>
          )}
        </QueryBoundary>
      </section>

      <section className="panel import-reason" aria-labelledby="origem-da-lista">
        <h2 id="origem-da-lista">3. Diga de onde vem a lista</h2>
        {tipo === 'assinaturas' && (
          <Labelled name="campanha" label="Campanha" error={errors.campanha}>
            <select id="campanha" name="campanha" defaultValue="" {...problemOf('campanha', errors)}>
              <option value="">Escolha...</option>
              {campaigns.data?.campanhas.map(({ slug, titulo }) => (
                <option key={slug} value={slug}>
                  {titulo}
                </option>
              ))}
            </select>
            <p className="faint">
              {campaigns.isError
                ? 'Não foi possível carregar as campanhas. Recarregue a página.'
                : 'As assinaturas aceitas somam ao contador público. Se já estão na contagem inicial da campanha, diminua essa contagem.'}
            </p>
          </Labelled>
        )}
        <Labelled name="origem" label="Origem, em poucas palavras" error={errors.origem}>
          <input
            id="origem"
            name="origem"
            maxLength={maxOriginLength}
            placeholder="feira-do-centro"
            autoComplete="off"
            {...problemOf('origem', errors)}
          />
        </Labelled>
        <Labelled name="baseLegal" label="Base legal: por que podemos guardar estes dados" error={errors.baseLegal}>
          <input
            id="baseLegal"
            name="baseLegal"
            list="bases-legais"
            maxLength={500}
            autoComplete="off"
            {...problemOf('baseLegal', errors)}
          />
        </Labelled>
        <datalist id="bases-legais">
          {legalBases.map((basis) => (
            <option key={basis} value={basis} />
          ))}
        </datalist>
        {mapping.aceitaNovidades ? (
          <p className="faint">Quem aceita novidades vem da coluna escolhida.</p>
        ) : (
          <label className="check">
            <input type="checkbox" name="declaraNovidades" />
            <span>Declaro que todas as pessoas da lista aceitaram receber novidades. Fica registrado.</span>
          </label>
        )}
        <p className="notice">Importar não envia nenhum e-mail, nem agora nem depois.</p>
        <p role="alert" className="error">
          {problem && errorMessage(problem, texts.readFailed)}
        </p>
        <div className="actions">
          <button type="button" className="button" disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
            Desistir
          </button>
          <button type="submit" className="button button-yellow" disabled={starting.isPending || missing.length > 0}>
            Importar {pluralize(total, 'linha', 'linhas')}
          </button>
        </div>
      </section>
    </form>
  )
}

/** The values that a field accepts, if they are fixed: key and label. */
function choicesOf(tipo: PeopleKind, name: string): Record<string, string> | undefined {
  if (name === 'tasks' || name === 'disponibilidade') return tasksOf[tipo]
  if (name === 'genero') return genderNames
  return name === 'estado' ? states : undefined
}

const isList = (name: string) => name === 'tasks' || name === 'disponibilidade'

/** The cells of the chosen columns, with the names of their fields. */
const describeRow = (cells: string[], fields: [name: string, { label: string }][], mapping: ImportMapping) =>
  fields
    .flatMap(([name, { label }]) => {
      const column = mapping[name]?.coluna
      return column === undefined ? [] : [`${label}: ${cells[column] || 'vazio'}`]
    })
    .join(' · ')

/** All rows with an error, and few of the others. */
function shownRows(rows: PreviewRow[]): PreviewRow[] {
  const accepted = rows.filter(({ motivo }) => motivo === null).slice(0, shownAccepted)
  return rows.filter((row) => row.motivo !== null || accepted.includes(row))
}

const problemOf = (name: string, errors: Record<string, string>) =>
  errors[name] ? { 'aria-invalid': true, 'aria-describedby': `${name}-erro` } : {}

interface LabelledProps {
  name: string
  label: string
  error: string | undefined
  children: React.ReactNode
}

function Labelled({ name, label, error, children }: LabelledProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {children}
      {error && (
        <p id={`${name}-erro`} className="error">
          {error}
        </p>
      )}
    </div>
  )
}

interface FieldSourceProps {
  name: string
  label: string
  columns: string[]
  source: ImportMapping[string] | undefined
  choices: Record<string, string> | undefined
  onChange(source: ImportMapping[string] | undefined): void
}

function FieldSource({ name, label, columns, source, choices, onChange }: FieldSourceProps) {
  const selected = source === undefined ? absent : source.coluna === undefined ? fixed : String(source.coluna)
  const id = `campo-${name}`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={selected}
        onChange={({ currentTarget: { value } }) => {
          if (value === absent) onChange(undefined)
          else onChange(value === fixed ? { valor: '' } : { coluna: Number(value) })
        }}
      >
        <option value={absent}>Não vem no arquivo</option>
        {name !== 'aceitaNovidades' && <option value={fixed}>Valor igual para todas</option>}
        {columns.map((title, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat, and columns never move
          <option key={column} value={column}>
            {title || `Coluna ${column + 1}`}
          </option>
        ))}
      </select>
      {selected === fixed && (
        <FixedValue
          label={`${label}: valor para todas as linhas`}
          value={source?.valor ?? ''}
          choices={choices}
          isList={isList(name)}
          onChange={(valor) => onChange({ valor })}
        />
      )}
      {source?.coluna !== undefined && choices && name !== 'estado' && (
        <p className="faint">Valores aceitos: {Object.values(choices).join('; ')}.</p>
      )}
    </div>
  )
}

interface FixedValueProps {
  label: string
  value: string
  choices: Record<string, string> | undefined
  /** Several choices, separated by commas. */
  isList: boolean
  onChange(value: string): void
}

function FixedValue({ label, value, choices, isList, onChange }: FixedValueProps) {
  const separator = ', '
  if (!choices)
    return (
      <input
        aria-label={label}
        value={value}
        maxLength={500}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  if (!isList)
    return (
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">Escolha...</option>
        {Object.entries(choices).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    )
  const chosen = value.split(separator).filter(Boolean)
  return (
    <fieldset className="import-choices">
      <legend className="hidden">{label}</legend>
      {Object.entries(choices).map(([key, name]) => (
        <label key={key} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={({ currentTarget: { checked } }) =>
              onChange((checked ? [...chosen, key] : chosen.filter((other) => other !== key)).join(separator))
            }
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
