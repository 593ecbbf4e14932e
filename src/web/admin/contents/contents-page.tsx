// `/admin/conteudos`: the material of the site. Which window is open stands in the address, so that it is there again after a login.
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ManagedContent } from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { wasGone } from '#web/admin/api.ts'
import { ContentDialog } from '#web/admin/contents/content-dialog.tsx'
import { ContentsList } from '#web/admin/contents/contents-list.tsx'
import { removalProblem, useContents, useContentsChanges } from '#web/admin/contents/contents-query.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import './contents-page.css'

const { contents: sentences } = adminMessages

export function ContentsPage() {
  const query = useContents()
  const [search, setSearch] = useSearchParams()
  const [removing, setRemoving] = useState<ManagedContent>()
  const newButton = useRef<HTMLButtonElement>(null)
  const contents = query.data ?? []
  const categories = [...new Set(contents.map(({ categoria }) => categoria))].sort((a, b) =>
    a.localeCompare(b, 'pt-BR'),
  )

  function set(changes: Record<string, string | undefined>): void {
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined) next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  }
  const chosen = search.get('categoria') ?? ''
  const edited = useOpened(contents, search.get('editar'))

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
      <Shown query={query}>
        {(all) => (
          <>
            {categories.length > 1 && (
              <CategoryFilter {...{ categories, chosen, onChoose: (to) => set({ categoria: to }) }} />
            )}
            <Listed
              all={all}
              chosen={chosen}
              onEdit={({ id }) => set({ editar: String(id) })}
              onRemove={(content) => setRemoving(content)}
            />
          </>
        )}
      </Shown>
      {search.has('novo') && (
        <ContentDialog
          content={undefined}
          categories={categories}
          onClose={() => set({ novo: undefined })}
          onCreated={({ id }) => set({ novo: undefined, editar: String(id) })}
        />
      )}
      {edited && (
        <ContentDialog
          key={edited.id}
          content={edited}
          categories={categories}
          onClose={() => set({ editar: undefined })}
        />
      )}
      {removing && (
        <Removal
          content={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            setRemoving(undefined)
            // The button that was pressed is gone with its content.
            setTimeout(() => newButton.current?.focus())
          }}
        />
      )}
    </Page>
  )
}

/** What is being edited stays open when somebody else removes it: who typed is told when saving. */
function useOpened(contents: ManagedContent[], asked: string | null): ManagedContent | undefined {
  const [opened, setOpened] = useState<ManagedContent>()
  const found = contents.find(({ id }) => String(id) === asked)
  if (found && found !== opened) setOpened(found)
  return found ?? (String(opened?.id) === asked ? opened : undefined)
}

interface ListedProps {
  all: ManagedContent[]
  chosen: string
  onEdit(content: ManagedContent): void
  onRemove(content: ManagedContent): void
}

function Listed({ all, chosen, ...actions }: ListedProps) {
  const isShown = ({ categoria }: ManagedContent) => !chosen || categoria === chosen
  if (all.length === 0) return <Empty>Ainda não há conteúdos. Publique o primeiro em “Novo conteúdo”.</Empty>
  if (!all.some(isShown)) return <Empty>Nenhum conteúdo na categoria “{chosen}”.</Empty>
  return <ContentsList contents={all} isShown={isShown} {...actions} />
}

interface CategoryFilterProps {
  categories: string[]
  chosen: string
  onChoose(category: string | undefined): void
}

function CategoryFilter({ categories, chosen, onChoose }: CategoryFilterProps) {
  return (
    <div className="filters">
      <div className="field">
        <label htmlFor="filtro-categoria">Categoria</label>
        <select
          id="filtro-categoria"
          value={chosen}
          onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
        >
          <option value="">Todas</option>
          {/* The chosen one stays, also when nothing of it is left. */}
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
      question={sentences.confirmRemoval}
      action={remove.isPending ? 'Removendo...' : 'Remover'}
      busy={remove.isPending}
      problem={remove.error ? removalProblem(remove.error) : ''}
      onConfirm={() => remove.mutate(content, { onSuccess: onRemoved })}
      onClose={wasGone(remove.error) ? onRemoved : onClose}
    />
  )
}
