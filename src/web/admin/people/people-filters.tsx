// Filters of the people list. They are in the URL, so that a list can be bookmarked and comes back after a login.
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useId, useState } from 'react'
import { filtersOf, newsConsents, type PeopleFilters, type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import { maxTagLength, withoutOwner, workflowStatuses } from '#contract/admin/people-workflow.ts'
import { maxOriginLength } from '#contract/origin.ts'
import { stateCodes, states } from '#contract/states.ts'
import { OriginSuggestions } from '#web/admin/links/origin-suggestions.tsx'
import { signedCampaignsQuery, workflowOptionsQuery } from '#web/admin/people/people-queries.ts'
import { dateInputValue } from '#web/admin/ui/date-input-value.ts'
import type { UrlFilters } from '#web/admin/ui/use-url-filters.ts'
import { fetchFromBrowser } from '#web/api/client.ts'
import { createStore, StoreContext } from '#web/api/store.ts'
import { CityField } from '#web/forms/fields/city-field.tsx'
import { SelectField, TextField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

type FilterName = keyof PeopleFilters

/** Always visible. The others are shown on demand where there is little room. */
const mainFilters: FilterName[] = ['busca', 'status']
const hasRoom = () => matchMedia('(min-width: 60rem)').matches

const store = createStore(fetchFromBrowser)

interface PeopleFiltersProps {
  tipo: PeopleKind
  urlFilters: UrlFilters<FilterName>
  errors: Record<string, string>
}

export function PeopleFilterForm({ tipo, urlFilters, errors }: PeopleFiltersProps) {
  const { values, type, apply, clear, clearCount } = urlFilters
  const more = useId()
  const [showsAll, setShowsAll] = useState(
    () => hasRoom() || filtersOf[tipo].some((name) => urlFilters.filters[name] && !mainFilters.includes(name)),
  )
  const { data: options } = useQuery(workflowOptionsQuery)
  const form: FieldState = { errors, initial: () => '', chosen: () => false }
  const has = (name: FilterName) => filtersOf[tipo].includes(name)
  const field = (name: FilterName) => ({
    form,
    name,
    defaultValue: undefined,
    value: values[name],
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement | HTMLSelectElement>) => type(name, currentTarget.value),
  })
  const dateField = (name: 'de' | 'ate') => ({
    ...field(name),
    value: dateInputValue(values[name]),
    type: 'date',
    min: '2020-01-01',
  })

  return (
    <StoreContext value={store}>
      <form
        aria-label="Filtrar pessoas"
        className="filters people-filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          apply({}, { replace: true })
        }}
      >
        <div className="filter-search">
          <TextField
            {...field('busca')}
            label="Nome, e-mail ou telefone"
            type="search"
            maxLength={200}
            autoComplete="off"
          />
        </div>
        <SelectField {...field('status')} label="Situação">
          <option value="">Todas</option>
          {Object.entries(workflowStatuses).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </SelectField>
        <button
          type="button"
          className="button small people-more-filters"
          aria-expanded={showsAll}
          aria-controls={more}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Menos filtros' : 'Mais filtros'}
        </button>
        <div id={more} className="filters people-filters people-filters-more" hidden={!showsAll}>
          {has('campanha') && <CampaignField {...field('campanha')} />}
          {has('estado') && (
            <SelectField {...field('estado')} label="Estado">
              <option value="">Todos</option>
              {stateCodes.map((code) => (
                <option key={code} value={code}>{`${code} · ${states[code]}`}</option>
              ))}
            </SelectField>
          )}
          {has('cidade') && <CityField {...field('cidade')} label="Cidade" required={false} />}
          {has('tarefa') && (
            <SelectField {...field('tarefa')} label={tipo === 'lideres' ? 'Disponibilidade' : 'Tarefa'}>
              <option value="">Todas</option>
              {Object.entries(tasksOf[tipo]).map(([task, label]) => (
                <option key={task} value={task}>
                  {label}
                </option>
              ))}
            </SelectField>
          )}
          {has('confirmada') && (
            <SelectField {...field('confirmada')} label="E-mail confirmado">
              <option value="">Tanto faz</option>
              <option value="sim">Confirmado</option>
              <option value="nao">Não confirmado</option>
            </SelectField>
          )}
          {has('novidades') && (
            <SelectField {...field('novidades')} label="Novidades">
              <option value="">Tanto faz</option>
              {Object.entries(newsConsents).map(([consent, label]) => (
                <option key={consent} value={consent}>
                  {label}
                </option>
              ))}
            </SelectField>
          )}
          <TextField key={`de ${clearCount}`} {...dateField('de')} label="De" />
          <TextField key={`ate ${clearCount}`} {...dateField('ate')} label="Até" />
          <SelectField {...field('responsavel')} label="Responsável">
            <option value="">Tanto faz</option>
            <option value={withoutOwner}>Ninguém</option>
            {withSelected(options?.equipe ?? [], values.responsavel).map((username) => (
              <option key={username} value={username}>
                {username}
              </option>
            ))}
          </SelectField>
          <TextField
            {...field('etiqueta')}
            label="Etiqueta"
            maxLength={maxTagLength}
            autoComplete="off"
            list={`${more}-etiquetas`}
          />
          <datalist id={`${more}-etiquetas`}>
            {options?.etiquetas.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <TextField
            {...field('origem')}
            label="Origem"
            maxLength={maxOriginLength}
            autoComplete="off"
            list={`${more}-origens`}
          />
          {showsAll && <OriginSuggestions id={`${more}-origens`} />}
        </div>
        {urlFilters.isFiltered && (
          <button type="button" className="button small" onClick={() => clear({ replace: true })}>
            Limpar filtros
          </button>
        )}
      </form>
    </StoreContext>
  )
}

/** A selected value stays selectable while it is not in the list: not loaded yet, or no longer in the team. */
const withSelected = (usernames: string[], selected: string) =>
  !selected || selected === withoutOwner || usernames.includes(selected) ? usernames : [...usernames, selected]

function CampaignField(field: Omit<ComponentProps<typeof SelectField>, 'label'> & { value: string }) {
  const { data } = useQuery(signedCampaignsQuery)
  const campaigns = data?.campanhas ?? []
  // The campaign in the URL stays selected, even if its title is not available.
  const unnamed = campaigns.some(({ slug }) => slug === field.value) ? '' : field.value
  return (
    <SelectField {...field} label="Campanha">
      <option value="">Todas</option>
      {unnamed && <option value={unnamed}>{unnamed}</option>}
      {campaigns.map(({ slug, titulo }) => (
        <option key={slug} value={slug}>
          {titulo}
        </option>
      ))}
    </SelectField>
  )
}
