// Whom to show: what is chosen here stands in the address, so that a list can be bookmarked and comes back after a login.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  filtersOf,
  listSignedCampaigns,
  newsConsents,
  type PeopleFilters,
  type PeopleKind,
  tasksOf,
} from '#contract/admin/people.ts'
import { stateCodes, states } from '#contract/states.ts'
import { callAdmin } from '#web/admin/api.ts'
import { fetchFromBrowser } from '#web/api/client.ts'
import { createStore, StoreContext } from '#web/api/store.ts'
import { CityField } from '#web/forms/city-field.tsx'
import { type FieldState, SelectField, TextField } from '#web/forms/field.tsx'

export type FilterName = keyof PeopleFilters

/** Who types is let finish. */
const pauseMs = 400

const store = createStore(fetchFromBrowser)

interface PeopleFiltersProps {
  tipo: PeopleKind
  chosen: URLSearchParams
  errors: Record<string, string>
  onChange(chosen: Record<string, string>): void
}

export function PeopleFilterForm({ tipo, chosen, errors, onChange }: PeopleFiltersProps) {
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const fields: FieldState = { errors, initial: (name) => chosen.get(name) ?? '', chosen: () => false }
  const names = filtersOf[tipo]
  const has = (name: FilterName) => names.includes(name)

  // The address may change by itself: by the way back, by a link. Who is typing is left alone.
  const known = useRef(chosen)
  useEffect(() => {
    if (timer.current !== undefined || known.current === chosen) return
    known.current = chosen
    for (const name of names) {
      const field = fieldOf(form.current, name)
      const value = chosen.get(name) ?? ''
      // A space at the end is the beginning of the next word, and half a date says that it is empty.
      if (field && field.value.trim() !== value) field.value = value
    }
  }, [chosen, names])

  function stopWaiting(): void {
    clearTimeout(timer.current)
    timer.current = undefined
  }

  /** Half a date goes too: the address knows nothing of it. */
  function clear(): void {
    for (const name of names) {
      const field = fieldOf(form.current, name)
      if (field) field.value = ''
    }
  }

  function apply(): void {
    stopWaiting()
    if (!form.current) return
    onChange(Object.fromEntries([...new FormData(form.current)].map(([name, value]) => [name, String(value).trim()])))
  }

  return (
    <StoreContext value={store}>
      <form
        ref={form}
        aria-label="Filtrar pessoas"
        className="filters people-filters"
        noValidate
        onInput={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(apply, pauseMs)
        }}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <div className="filter-search">
          <TextField
            form={fields}
            name="busca"
            label="Nome, e-mail ou telefone"
            type="search"
            maxLength={200}
            autoComplete="off"
          />
        </div>
        {has('campanha') && <CampaignField form={fields} />}
        {has('estado') && (
          <SelectField form={fields} name="estado" label="Estado">
            <option value="">Todos</option>
            {stateCodes.map((code) => (
              <option key={code} value={code}>{`${code} · ${states[code]}`}</option>
            ))}
          </SelectField>
        )}
        {has('cidade') && <CityField form={fields} label="Cidade" required={false} />}
        {has('tarefa') && (
          <SelectField form={fields} name="tarefa" label={tipo === 'lideres' ? 'Disponibilidade' : 'Tarefa'}>
            <option value="">Todas</option>
            {Object.entries(tasksOf[tipo]).map(([task, words]) => (
              <option key={task} value={task}>
                {words}
              </option>
            ))}
          </SelectField>
        )}
        {has('confirmada') && (
          <SelectField form={fields} name="confirmada" label="E-mail confirmado">
            <option value="">Tanto faz</option>
            <option value="sim">Confirmado</option>
            <option value="nao">Não confirmado</option>
          </SelectField>
        )}
        {has('novidades') && (
          <SelectField form={fields} name="novidades" label="Novidades">
            <option value="">Tanto faz</option>
            {Object.entries(newsConsents).map(([consent, words]) => (
              <option key={consent} value={consent}>
                {words}
              </option>
            ))}
          </SelectField>
        )}
        <TextField form={fields} name="de" label="De" type="date" min="2020-01-01" />
        <TextField form={fields} name="ate" label="Até" type="date" min="2020-01-01" />
        {names.some((name) => chosen.get(name)) && (
          <button
            type="button"
            className="button small"
            onClick={() => {
              stopWaiting()
              clear()
              onChange({})
            }}
          >
            Limpar filtros
          </button>
        )}
      </form>
    </StoreContext>
  )
}

function fieldOf(form: HTMLFormElement | null, name: FilterName): HTMLInputElement | HTMLSelectElement | undefined {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : undefined
}

function CampaignField({ form }: { form: FieldState }) {
  const { data } = useQuery({ queryKey: ['pessoas', 'campanhas'], queryFn: () => callAdmin(listSignedCampaigns) })
  const chosen = form.initial('campanha')
  const campaigns = data?.campanhas ?? []
  // What the address says is shown and stays, also when its name did not come.
  const unnamed = campaigns.some(({ slug }) => slug === chosen) ? '' : chosen
  // An uncontrolled field takes its first choice when its options are there.
  return (
    <SelectField key={data ? 'campanhas' : 'ainda-nao'} form={form} name="campanha" label="Campanha">
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
