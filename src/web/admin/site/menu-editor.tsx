// Editor of the header menu: links are hidden, moved with buttons, and added. Specified links can only be hidden.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { campaignPath } from '#contract/campaigns.ts'
import {
  completeMenu,
  defaultMenu,
  isUnknownPage,
  type MenuItem,
  menuPages,
  specifiedLinks,
} from '#contract/site-menu.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { FieldNotes } from '#web/admin/site/setting-field.tsx'
import type { SiteEditor } from '#web/admin/site/use-site-form.ts'
import { AddIcon, RemoveIcon, RestoreIcon } from '#web/admin/ui/icons.tsx'
import { useDebounced } from '#web/admin/ui/use-debounced.ts'

type Direction = 'up' | 'down'

const suggestionsId = 'menu-paginas'
/** Longer than the pause between two letters. */
const typingMs = 800

export function MenuEditor({ editor }: { editor: SiteEditor }) {
  const items = completeMenu(editor.settings.menu)
  const specified = specifiedLinks(editor.deputado)
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [announcement, setAnnouncement] = useState('')
  /** Selector of the element that gets the focus after the next render. */
  const [focus, setFocus] = useState<{ selectors: string[] }>()
  useEffect(() => {
    const found = focus?.selectors.map((selector) => list.current?.querySelector<HTMLElement>(selector))
    found?.find((element) => element)?.focus()
  }, [focus])

  const nameOf = ({ chave, texto }: MenuItem) => (chave ? specified[chave].text : texto || 'Novo link')
  const setItems = (next: MenuItem[]) => editor.set('menu', next)
  const change = (index: number, part: Partial<MenuItem>) =>
    setItems(items.map((item, at) => (at === index ? { ...item, ...part } : item)))

  function move(index: number, direction: Direction): void {
    const target = direction === 'up' ? index - 1 : index + 1
    const moved = items[index]
    if (!moved || !items[target]) return
    const next = [...items]
    next[index] = items[target]
    next[target] = moved
    setItems(next)
    setAnnouncement(`${nameOf(moved)}: posição ${target + 1} de ${items.length}`)
    // At an end of the list the button is disabled; the other one gets the focus.
    const button = (way: Direction) => `li:nth-child(${target + 1}) [data-move="${way}"]:not(:disabled)`
    setFocus({ selectors: [button(direction), button(direction === 'up' ? 'down' : 'up')] })
  }

  return (
    <fieldset className="menu-editor" disabled={editor.isLocked('menu')}>
      <legend className="hidden">Links do menu</legend>
      <PageSuggestions deputado={editor.deputado} />
      <ol ref={list}>
        {items.map((item, index) => {
          const { chave, oculto } = item
          const name = nameOf(item)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled, and own links have no identity
            <li key={index}>
              {chave ? (
                <p className="menu-name" data-off={oculto || undefined}>
                  <strong>{name}</strong> <span className="faint">{specified[chave].href}</span>
                </p>
              ) : (
                <div className="menu-own">
                  <MenuText editor={editor} index={index} field="texto" label="Texto" value={item.texto} />
                  <MenuText editor={editor} index={index} field="endereco" label="Endereço" value={item.endereco} />
                </div>
              )}
              <div className="actions">
                <label className="check menu-shown">
                  <input
                    type="checkbox"
                    checked={!oculto}
                    onChange={({ currentTarget }) => change(index, { oculto: !currentTarget.checked })}
                  />
                  <span>
                    Mostrar<span className="hidden"> {name}</span>
                  </span>
                </label>
                <button
                  type="button"
                  className="button small"
                  data-move="up"
                  disabled={index === 0}
                  onClick={() => move(index, 'up')}
                >
                  ↑ Subir<span className="hidden"> {name}</span>
                </button>
                <button
                  type="button"
                  className="button small"
                  data-move="down"
                  disabled={index === items.length - 1}
                  onClick={() => move(index, 'down')}
                >
                  ↓ Descer<span className="hidden"> {name}</span>
                </button>
                {!chave && (
                  <button
                    type="button"
                    className="button small"
                    onClick={() => {
                      setItems(items.filter((_, at) => at !== index))
                      setAnnouncement(`${name}: removido`)
                      addButton.current?.focus()
                    }}
                  >
                    <RemoveIcon size={18} /> Remover<span className="hidden"> {name}</span>
                  </button>
                )}
              </div>
            </li>
          )
        })}
      </ol>
      <p className="hidden" role="status">
        {announcement}
      </p>
      <FieldNotes editor={editor} path="menu" />
      <div className="actions">
        <button
          ref={addButton}
          type="button"
          className="button"
          onClick={() => {
            setItems([...items, { texto: '', endereco: '', oculto: false }])
            setFocus({ selectors: ['li:last-child input'] })
          }}
        >
          <AddIcon size={18} /> Adicionar link ao menu
        </button>
        <button type="button" className="button" onClick={() => setItems(defaultMenu)}>
          <RestoreIcon size={18} /> Voltar ao padrão
        </button>
      </div>
    </fieldset>
  )
}

/** Pages and campaigns, so that nobody needs to know their paths. */
function PageSuggestions({ deputado }: Pick<SiteEditor, 'deputado'>) {
  const { data } = useQuery(campaignListQuery)
  const campaigns = (data?.campaigns ?? []).map(({ slug, titulo }) => [campaignPath(slug, deputado.slug), titulo])
  return (
    <datalist id={suggestionsId}>
      {[...campaigns, ...Object.entries(menuPages)].map(([path, title]) => (
        <option key={path} value={path}>
          {title}
        </option>
      ))}
    </datalist>
  )
}

/** Whether the address leads to no page of this site. False while it is typed. */
function useIsUnknownPage(editor: SiteEditor, address: string): boolean {
  const { data } = useQuery(campaignListQuery)
  const settled = useDebounced(address, typingMs)
  if (!data || settled !== address) return false
  const slugs = data.campaigns.map(({ slug }) => slug)
  return isUnknownPage(address, slugs, editor.deputado)
}

interface MenuTextProps {
  editor: SiteEditor
  index: number
  field: 'texto' | 'endereco'
  label: string
  value: string | undefined
}

function MenuText({ editor, index, field, label, value = '' }: MenuTextProps) {
  const id = `menu.${index}.${field}`
  const isAddress = field === 'endereco'
  const hint = isAddress ? 'Escolha uma página daqui, ou cole um endereço com https://' : undefined
  const error = editor.errors[id]
  const isUnknown = useIsUnknownPage(editor, isAddress ? value : '')
  const notes = [error && `${id}-erro`, isUnknown && `${id}-aviso`, hint && `${id}-dica`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        <span className="hidden"> do link {index + 1} do menu</span>
      </label>
      <input
        id={id}
        autoComplete="off"
        list={isAddress ? suggestionsId : undefined}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes || undefined}
        onChange={({ currentTarget }) => {
          const items = completeMenu(editor.settings.menu)
          editor.set(
            'menu',
            items.map((item, at) => (at === index ? { ...item, [field]: currentTarget.value } : item)),
          )
        }}
      />
      {hint && (
        <p className="hint" id={`${id}-dica`}>
          {hint}
        </p>
      )}
      {isAddress && (
        <p className="menu-warning" id={`${id}-aviso`} role="status">
          {isUnknown && 'Não há página com este endereço no site. Confira antes de salvar.'}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-erro`}>
          {error}
        </p>
      )}
    </div>
  )
}
