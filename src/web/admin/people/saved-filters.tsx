// Filters that the team has saved: apply, save, rename, delete.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { PeopleKind } from '#contract/admin/people.ts'
import {
  maxFilterNameLength,
  removeFilter,
  renameFilter,
  type SavedFilter,
  saveFilter,
} from '#contract/admin/saved-filters.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { savedFiltersQuery } from '#web/admin/people/people-queries.ts'
import { NameDialog, RemovalDialog } from '#web/admin/ui/saved-item-dialogs.tsx'

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
  const closing = { onDone, onClose: () => setOpened(undefined) }
  const naming = {
    ...closing,
    label: 'Nome do filtro',
    maxLength: maxFilterNameLength,
    failure: 'Não foi possível salvar o filtro.',
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
        <NameDialog
          title="Salvar filtro"
          note="Toda a equipe vê os filtros salvos. O texto da busca não é salvo."
          {...naming}
          save={(nome) => callAdmin(saveFilter, { params: { tipo }, body: { nome, filtros: filters } })}
        />
      )}
      {opened?.action === 'rename' && (
        <NameDialog
          title="Renomear filtro"
          note="Toda a equipe vê os filtros salvos."
          {...naming}
          initial={opened.filter.nome}
          save={(nome) =>
            callAdmin(renameFilter, { params: { tipo, filtro: String(opened.filter.id) }, body: { nome } })
          }
        />
      )}
      {opened?.action === 'remove' && (
        <RemovalDialog
          title="Apagar filtro"
          question={`O filtro “${opened.filter.nome}” sai para toda a equipe. As pessoas continuam na lista.`}
          failure="Não foi possível apagar o filtro."
          remove={() => callAdmin(removeFilter, { params: { tipo, filtro: String(opened.filter.id) } })}
          {...closing}
        />
      )}
    </section>
  )
}
