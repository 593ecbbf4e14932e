// The contents page. The open dialog is in the URL, so that it is open again after a login.
import { useRef, useState } from 'react'
import type { ManagedContent } from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { isNotFound } from '#web/admin/api/client.ts'
import { ContentDialog } from '#web/admin/contents/content-dialog.tsx'
import { ContentsList } from '#web/admin/contents/contents-list.tsx'
import { removalProblem, useContents, useContentsChanges } from '#web/admin/contents/contents-query.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { useUrlFilters } from '#web/admin/ui/use-url-filters.ts'
import './contents-page.css'

const { contents: texts } = adminMessages
const urlNames = ['categoria', 'novo', 'editar'] as const

export function ContentsPage() {
  const query = useContents()
  const { filters, change } = useUrlFilters(urlNames)
  const [removing, setRemoving] = useState<ManagedContent>()
  const newButton = useRef<HTMLButtonElement>(null)
  const contents = query.data ?? []
  const categories = [...new Set(contents.map(({ categoria }) => categoria))].sort((a, b) =>
    a.localeCompare(b, 'pt-BR'),
  )

  const set = (changes: Record<string, string>) => change(changes, { replace: true })
  const chosen = filters.categoria
  const edited = useOpened(contents, filters.editar)

  return (
    <Page
      title="Conteúdos"
      intro="Cartazes para compartilhar, na ordem em que o site os mostra."
      actions={
        <>
          <a className="button" href="/conteudos-destaque" target="_blank" rel="noreferrer">
            Ver no site
          </a>
          <button ref={newButton} type="button" className="button button-yellow" onClick={() => set({ novo: '1' })}>
            Novo conteúdo
          </button>
        </>
      }
    >
      <QueryBoundary query={query}>
        {(all) => (
          <>
            {categories.length > 1 && (
              <CategoryFilter {...{ categories, chosen, onChoose: (to) => set({ categoria: to }) }} />
            )}
            <FilteredList
              all={all}
              chosen={chosen}
              onEdit={({ id }) => set({ editar: String(id) })}
              onRemove={(content) => setRemoving(content)}
            />
          </>
        )}
      </QueryBoundary>
      {filters.novo && (
        <ContentDialog
          content={undefined}
          categories={categories}
          onClose={() => set({ novo: '' })}
          onCreated={({ id }) => set({ novo: '', editar: String(id) })}
        />
      )}
      {edited && (
        <ContentDialog key={edited.id} content={edited} categories={categories} onClose={() => set({ editar: '' })} />
      )}
      {removing && (
        <Removal
          content={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            setRemoving(undefined)
            // The pressed button disappears with its content.
            setTimeout(() => newButton.current?.focus())
          }}
        />
      )}
    </Page>
  )
}

/** An edited content stays open when another administrator deletes it; the save then reports the deletion. */
function useOpened(contents: ManagedContent[], openId: string): ManagedContent | undefined {
  const [opened, setOpened] = useState<ManagedContent>()
  const found = contents.find(({ id }) => String(id) === openId)
  if (found && found !== opened) setOpened(found)
  return found ?? (String(opened?.id) === openId ? opened : undefined)
}

interface FilteredListProps {
  all: ManagedContent[]
  chosen: string
  onEdit(content: ManagedContent): void
  onRemove(content: ManagedContent): void
}

function FilteredList({ all, chosen, ...actions }: FilteredListProps) {
  const isVisible = ({ categoria }: ManagedContent) => !chosen || categoria === chosen
  if (all.length === 0) return <EmptyState>Ainda não há conteúdos. Publique o primeiro em “Novo conteúdo”.</EmptyState>
  if (!all.some(isVisible)) return <EmptyState>Nenhum conteúdo na categoria “{chosen}”.</EmptyState>
  return <ContentsList contents={all} isVisible={isVisible} {...actions} />
}

interface CategoryFilterProps {
  categories: string[]
  chosen: string
  onChoose(category: string): void
}

function CategoryFilter({ categories, chosen, onChoose }: CategoryFilterProps) {
  return (
    <div className="filters">
      <div className="field">
        <label htmlFor="filtro-categoria">Categoria</label>
        <select id="filtro-categoria" value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          <option value="">Todas</option>
          {/* The chosen category stays, even when no content has it any more. */}
          {[...new Set([...categories, chosen].filter(Boolean))].map((category) => (
            <option key={category}>{category}</option>
          ))}
        </select>
      </div>
    </div>
  )
}

function Removal({ content, onClose, onRemoved }: { content: ManagedContent; onClose(): void; onRemoved(): void }) {
  const { remove } = useContentsChanges()
  return (
    <Confirmation
      title={`Remover “${content.titulo}”`}
      question={texts.confirmRemoval}
      action={remove.isPending ? 'Removendo...' : 'Remover'}
      busy={remove.isPending}
      problem={remove.error ? removalProblem(remove.error) : ''}
      onConfirm={() => remove.mutate(content, { onSuccess: onRemoved })}
      onClose={isNotFound(remove.error) ? onRemoved : onClose}
    />
  )
}
