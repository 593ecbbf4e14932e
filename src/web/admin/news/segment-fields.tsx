// Builder of a segment: kinds of person, campaigns, states, city, dates, tags, origin, and an earlier news item.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { NewsSegment } from '#contract/admin/news.ts'
import { kindLabels, peopleKinds } from '#contract/admin/people.ts'
import { maxOriginLength } from '#contract/origin.ts'
import { stateCodes, states } from '#contract/states.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { OriginSuggestions } from '#web/admin/links/origin-suggestions.tsx'
import { earlierNewsQuery } from '#web/admin/news/news-queries.ts'
import { hasField, kindsLeftOut, newsLabels, withoutHiddenFields } from '#web/admin/news/news-values.ts'
import { workflowOptionsQuery } from '#web/admin/people/people-queries.ts'
import { TagsField } from '#web/admin/people/tags-field.tsx'
import { dateInputValue } from '#web/admin/ui/date-input-value.ts'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import { fetchFromBrowser } from '#web/api/client.ts'
import { createStore, StoreContext } from '#web/api/store.ts'
import { CityField } from '#web/forms/fields/city-field.tsx'
import { SelectField, TextField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

const store = createStore(fetchFromBrowser)
const maxCityLength = 120

interface SegmentFieldsProps {
  form: FieldState
  segment: NewsSegment
  /** The edited news item: it cannot be excluded from itself. */
  newsId: number | undefined
  onChange(segment: NewsSegment): void
}

export function SegmentFields({ form, segment, newsId, onChange }: SegmentFieldsProps) {
  const origins = useId()
  const campaigns = useQuery(campaignListQuery)
  const { data: options } = useQuery(workflowOptionsQuery)
  const { tipos } = segment
  const change = (changes: Partial<NewsSegment>) => onChange(withoutHiddenFields({ ...segment, ...changes }))
  const dateField = (name: 'de' | 'ate') => ({
    form,
    name: `segmento.${name}`,
    label: newsLabels[`segmento.${name}`],
    type: 'date',
    min: '2020-01-01',
    defaultValue: dateInputValue(segment[name] ?? ''),
    onInput: (event: { currentTarget: HTMLInputElement }) => change({ [name]: event.currentTarget.value || undefined }),
  })

  return (
    <StoreContext value={store}>
      <Choices
        name="segmento.tipos"
        legend={newsLabels['segmento.tipos']}
        error={form.errors['segmento.tipos']}
        items={peopleKinds.map((kind) => ({ value: kind, label: kindLabels[kind].list }))}
        chosen={tipos}
        onChange={(chosen) => change({ tipos: chosen })}
      />
      {hasField(tipos, 'campanhas') && (
        <Choices
          name="segmento.campanhas"
          legend={newsLabels['segmento.campanhas']}
          hint="Nenhuma marcada: todas. Vale só para as assinaturas."
          error={form.errors['segmento.campanhas']}
          scrolls
          items={titlesOf(campaigns.data?.campaigns, segment.campanhas)}
          chosen={segment.campanhas}
          onChange={(chosen) => change({ campanhas: chosen })}
        />
      )}
      {hasField(tipos, 'estados') && (
        <details className="segment-states">
          <summary>
            {newsLabels['segmento.estados']}: {segment.estados.length > 0 ? segment.estados.join(', ') : 'todos'}
          </summary>
          <Choices
            name="segmento.estados"
            legend={newsLabels['segmento.estados']}
            hint="Nenhum marcado: todos."
            error={form.errors['segmento.estados']}
            short
            items={stateCodes.map((code) => ({ value: code, label: states[code] }))}
            chosen={segment.estados}
            onChange={(chosen) => change({ estados: chosen })}
          />
        </details>
      )}
      <div className="segment-grid">
        {hasField(tipos, 'cidade') && (
          <CityField
            form={form}
            label={newsLabels['segmento.cidade']}
            required={false}
            maxLength={maxCityLength}
            defaultValue={undefined}
            value={segment.cidade ?? ''}
            onInput={({ currentTarget }) => change({ cidade: currentTarget.value || undefined })}
          />
        )}
        <TextField {...dateField('de')} />
        <TextField {...dateField('ate')} />
        <TextField
          form={form}
          name="segmento.origem"
          label={newsLabels['segmento.origem']}
          maxLength={maxOriginLength}
          autoComplete="off"
          list={origins}
          defaultValue={undefined}
          value={segment.origem ?? ''}
          onInput={({ currentTarget }) => change({ origem: currentTarget.value || undefined })}
        />
        <OriginSuggestions id={origins} />
      </div>
      <div className="segment-narrow">
        <TagsField
          label={newsLabels['segmento.etiquetas']}
          tags={segment.etiquetas}
          suggestions={options?.etiquetas ?? []}
          addsOnBlur
          onChange={(etiquetas) => change({ etiquetas })}
        />
        <EarlierNews form={form} segment={segment} newsId={newsId} onChange={change} />
      </div>
      <LeftOut segment={segment} />
    </StoreContext>
  )
}

/** Campaigns that were chosen stay in the list while it is not loaded. */
function titlesOf(campaigns: { id: number; titulo: string }[] = [], chosen: number[]) {
  const known = campaigns.map(({ id, titulo }) => ({ value: id, label: titulo }))
  const missing = chosen.filter((id) => !campaigns.some((campaign) => campaign.id === id))
  return [...known, ...missing.map((id) => ({ value: id, label: `Campanha ${id}` }))]
}

interface ChoicesProps<Value> {
  /** Name of the field in errors. */
  name: string
  legend: string
  hint?: string
  error: string | undefined
  /** A long list has its own scroll bar. */
  scrolls?: boolean
  /** Short labels: more columns. */
  short?: boolean
  items: { value: Value; label: string }[]
  chosen: Value[]
  onChange(chosen: Value[]): void
}

function Choices<Value extends string | number>(props: ChoicesProps<Value>) {
  const { name, legend, hint, error, scrolls, short, items, chosen, onChange } = props
  const described = [hint && `${name}-dica`, error && `${name}-erro`].filter(Boolean).join(' ')
  return (
    <fieldset className="segment-choices" aria-describedby={described || undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p className="hint" id={`${name}-dica`}>
          {hint}
        </p>
      )}
      <div data-scrolls={scrolls || undefined} data-short={short || undefined}>
        {items.map(({ value, label }, index) => (
          <label key={value} className="check segment-choice">
            <input
              type="checkbox"
              // The first one takes the focus when the field is refused.
              {...(index === 0 && { id: name })}
              name={name}
              aria-invalid={error ? true : undefined}
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
              }
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {error && (
        <p className="error" id={`${name}-erro`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface EarlierNewsProps extends Omit<SegmentFieldsProps, 'onChange'> {
  onChange(changes: Partial<NewsSegment>): void
}

function EarlierNews({ form, segment, newsId, onChange }: EarlierNewsProps): ReactNode {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(earlierNewsQuery)
  const field = useFocusAfterRemoval<HTMLDivElement>(hasNextPage)
  const sent = (data?.pages ?? [])
    .flatMap(({ novidades }) => novidades)
    .filter(
      ({ id, status, envio }) =>
        id !== newsId && status === 'published' && envio && !['preparing', 'prepared'].includes(envio.status),
    )
  const chosen = segment.semRecebedoresDe
  if (sent.length === 0 && chosen === undefined && !hasNextPage) return null
  return (
    <div ref={field} tabIndex={-1}>
      <SelectField
        form={form}
        name="segmento.semRecebedoresDe"
        label="Deixar de fora quem recebeu"
        defaultValue={undefined}
        value={chosen ?? ''}
        onChange={({ currentTarget }) => onChange({ semRecebedoresDe: Number(currentTarget.value) || undefined })}
      >
        <option value="">Ninguém</option>
        {chosen !== undefined && !sent.some(({ id }) => id === chosen) && (
          <option value={chosen}>Novidade {chosen}</option>
        )}
        {sent.map(({ id, titulo }) => (
          <option key={id} value={id}>
            {titulo}
          </option>
        ))}
      </SelectField>
      {hasNextPage && (
        <button
          type="button"
          className="link"
          aria-disabled={isFetchingNextPage}
          onClick={() => !isFetchingNextPage && void fetchNextPage()}
        >
          {isFetchingNextPage ? 'Carregando…' : 'Mostrar novidades mais antigas'}
        </button>
      )}
    </div>
  )
}

function LeftOut({ segment }: { segment: NewsSegment }) {
  const lists = kindsLeftOut(segment).map((kind) => kindLabels[kind].list)
  return (
    <p role="status" className="segment-left-out">
      {lists.length > 0 &&
        `${lists.join(' e ')} não informam estado nem cidade: com este filtro, ninguém desta lista recebe.`}
    </p>
  )
}
