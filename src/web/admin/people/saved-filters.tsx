// Filters that the team has saved: apply, save, rename, delete.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { PeopleKind } from '#contract/admin/people.ts'
import {
  maxFilterNameLength,
  removeFilter,
  renameFilter,
  type SavedFilter,
  saveFilter,
} from '#contract/admin/saved-filters.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { savedFiltersQuery } from '#web/admin/people/people-queries.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import '#web/forms/fields/field.css'

interface SavedFiltersProps {
  tipo: PeopleKind
  filters: Record<string, string>
}

type Opened = { action: 'save' } | { action: 'rename' | 'remove'; filter: SavedFilter }

export function SavedFilters({ tipo, filters }: SavedFiltersProps) {
  const queries = useQueryClient()
  const { data } = useQuery(savedFiltersQuery(tipo))
  const [opened, setOpened] = useState<Opened>()
  const saved = data?.filtros ?? []
  const onDone = async () => {
    setOpened(undefined)
    await queries.invalidateQueries({ queryKey: savedFiltersQuery(tipo).queryKey })
  }
  // Searched text is not saved.
  const canSave = Object.entries(filters).some(([name, value]) => name !== 'busca' && value)
  if (saved.length === 0 && !canSave) return null
  return (
    <section className="saved-filters" aria-label="Filtros salvos">
      {saved.length > 0 && (
        <details>
          <summary>Filtros salvos ({saved.length})</summary>
          <ul>
            {saved.map((filter) => (
              <li key={filter.id}>
                <Link to={`?${new URLSearchParams(filter.filtros)}`} title={`Salvo por ${filter.autor}`}>
                  {filter.nome}
                </Link>
                <button
                  type="button"
                  className="button small"
                  aria-label={`Renomear o filtro ${filter.nome}`}
                  onClick={() => setOpened({ action: 'rename', filter })}
                >
                  Renomear
                </button>
                <button
                  type="button"
                  className="button small"
                  aria-label={`Apagar o filtro ${filter.nome}`}
                  onClick={() => setOpened({ action: 'remove', filter })}
                >
                  Apagar
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {canSave && (
        <button type="button" className="button small" onClick={() => setOpened({ action: 'save' })}>
          Salvar este filtro
        </button>
      )}
      {opened?.action === 'save' && (
        <FilterName
          title="Salvar filtro"
          note="Toda a equipe vê os filtros salvos. O texto da busca não é salvo."
          save={(nome) => callAdmin(saveFilter, { params: { tipo }, body: { nome, filtros: filters } })}
          onDone={onDone}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.action === 'rename' && (
        <FilterName
          title="Renomear filtro"
          note="Toda a equipe vê os filtros salvos."
          initial={opened.filter.nome}
          save={(nome) =>
            callAdmin(renameFilter, { params: { tipo, filtro: String(opened.filter.id) }, body: { nome } })
          }
          onDone={onDone}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.action === 'remove' && (
        <Removal tipo={tipo} filter={opened.filter} onDone={onDone} onClose={() => setOpened(undefined)} />
      )}
    </section>
  )
}

interface FilterNameProps {
  title: string
  note: string
  initial?: string
  save(name: string): Promise<unknown>
  onDone(): Promise<void>
  onClose(): void
}

function FilterName({ title, note, initial = '', save, onDone, onClose }: FilterNameProps) {
  const saving = useMutation({ mutationFn: save, onSuccess: onDone })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    saving.mutate(String(new FormData(event.currentTarget).get('nome')))
  }
  const problem = saving.error ? errorMessage(saving.error, 'Não foi possível salvar o filtro.') : ''
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <p>{note}</p>
        <div className="field">
          <label htmlFor="nome-do-filtro">Nome do filtro</label>
          <input
            id="nome-do-filtro"
            name="nome"
            defaultValue={initial}
            maxLength={maxFilterNameLength}
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'nome-do-filtro-erro' : undefined}
          />
          <p role="alert" id="nome-do-filtro-erro" className="error">
            {problem}
          </p>
        </div>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={saving.isPending}>
            Salvar
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface RemovalProps {
  tipo: PeopleKind
  filter: SavedFilter
  onDone(): Promise<void>
  onClose(): void
}

function Removal({ tipo, filter, onDone, onClose }: RemovalProps) {
  const removing = useMutation({
    mutationFn: () => callAdmin(removeFilter, { params: { tipo, filtro: String(filter.id) } }),
    onSuccess: onDone,
  })
  return (
    <Confirmation
      title="Apagar filtro"
      question={`O filtro “${filter.nome}” sai para toda a equipe. As pessoas continuam na lista.`}
      action="Apagar"
      busy={removing.isPending}
      {...(removing.error && { problem: errorMessage(removing.error, 'Não foi possível apagar o filtro.') })}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  )
}
