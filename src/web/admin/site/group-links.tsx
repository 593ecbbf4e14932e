// Group links of the settings form: several per slot. The first that is not full is in use.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { siteLabels, valueAt } from '#contract/admin/site.ts'
import { type GroupLink, openGroup } from '#contract/site-settings.ts'
import { stateCodes, states } from '#contract/states.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { FieldNotes } from '#web/admin/site/setting-field.tsx'
import type { SiteEditor } from '#web/admin/site/use-site-form.ts'
import { AddIcon, RemoveIcon } from '#web/admin/ui/icons.tsx'

const emptyLink: GroupLink = { link: '', cheio: false }

interface GroupSlotProps {
  editor: SiteEditor
  path: string
  name: string
  hint?: string
  /** The slot itself can be removed. */
  onRemove?(): void
}

export function GroupSlot({ editor, path, name, hint, onRemove }: GroupSlotProps) {
  const links = (valueAt(editor.settings, path) as GroupLink[] | undefined) ?? []
  const isLocked = editor.isLocked(path)
  const inUse = links.findIndex(({ link }) => link === openGroup(links))
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState(0)
  useEffect(() => {
    if (added > 0) list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  }, [added])

  const change = (index: number, part: Partial<GroupLink>) =>
    editor.set(
      path,
      links.map((link, at) => (at === index ? { ...link, ...part } : link)),
    )

  return (
    <fieldset className="group-slot" disabled={isLocked}>
      <legend>{name}</legend>
      <ul ref={list}>
        {links.map(({ link, cheio }, index) => {
          const id = `${path}.${index}.link`
          const error = editor.errors[id]
          const label = links.length > 1 ? `Link ${index + 1}` : 'Link'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled, and a link has no other identity
            <li key={index}>
              <div className="field group-address">
                <label htmlFor={id}>
                  {label}
                  <span className="hidden"> de {name}</span>
                  {index === inUse && links.length > 1 && <span className="badge group-in-use">em uso</span>}
                </label>
                <input
                  id={id}
                  type="url"
                  inputMode="url"
                  autoComplete="off"
                  placeholder="https://chat.whatsapp.com/..."
                  value={link}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? `${id}-erro` : undefined}
                  onChange={({ currentTarget }) => change(index, { link: currentTarget.value })}
                />
                {error && (
                  <p className="error" id={`${id}-erro`}>
                    {error}
                  </p>
                )}
              </div>
              <label className="check group-full">
                <input
                  type="checkbox"
                  checked={cheio}
                  onChange={({ currentTarget }) => change(index, { cheio: currentTarget.checked })}
                />
                <span>
                  Cheio
                  <span className="hidden">
                    : {label} de {name}
                  </span>
                </span>
              </label>
              <button
                type="button"
                className="button small"
                onClick={() => {
                  editor.set(
                    path,
                    links.filter((_, at) => at !== index),
                  )
                  add.current?.focus()
                }}
              >
                <RemoveIcon size={18} /> Remover
                <span className="hidden">
                  {' '}
                  {label} de {name}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <FieldNotes editor={editor} path={path} hint={hint} />
      <div className="actions">
        <button
          ref={add}
          type="button"
          className="button small"
          onClick={() => {
            editor.set(path, [...links, emptyLink])
            setAdded((count) => count + 1)
          }}
        >
          <AddIcon size={18} /> Adicionar link<span className="hidden"> a {name}</span>
        </button>
        {onRemove && (
          <button type="button" className="link" onClick={onRemove}>
            Remover {name}
          </button>
        )}
      </div>
    </fieldset>
  )
}

interface SlotListProps {
  editor: SiteEditor
  path: 'grupos.campanhas' | 'grupos.estados'
  /** Every possible slot: its key and its name. */
  options: [key: string, name: string][]
  choose: string
}

/** Slots that the organiser adds: campaigns or states. */
function SlotList({ editor, path, options, choose }: SlotListProps) {
  const slots = Object.keys(valueAt(editor.settings, path) as object)
  const free = options.filter(([key]) => !slots.includes(key))
  const [chosen, setChosen] = useState('')
  const [added, setAdded] = useState('')
  useEffect(() => {
    if (added) document.getElementById(`${path}.${added}.0.link`)?.focus()
  }, [path, added])
  const select = useRef<HTMLSelectElement>(null)
  const isFixed = editor.isLocked(path) || free.length === 0
  const names = new Map(options)
  return (
    <section aria-labelledby={path}>
      <h3 id={path}>{siteLabels[path]}</h3>
      {slots.map((key) => (
        <GroupSlot
          key={key}
          editor={editor}
          path={`${path}.${key}`}
          name={names.get(key) ?? key}
          onRemove={() => {
            editor.set(`${path}.${key}`, undefined)
            select.current?.focus()
          }}
        />
      ))}
      <div className="field group-choice">
        <label htmlFor={`${path}-novo`}>{choose}</label>
        <select
          ref={select}
          id={`${path}-novo`}
          value={chosen}
          disabled={isFixed}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          <option value="">{free.length === 0 ? 'Todos já têm grupo' : 'Escolha...'}</option>
          {free.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button small"
          aria-describedby={path}
          disabled={isFixed || !chosen}
          onClick={() => {
            editor.set(`${path}.${chosen}`, [emptyLink])
            setAdded(chosen)
            setChosen('')
          }}
        >
          Adicionar
        </button>
        <FieldNotes editor={editor} path={path} />
      </div>
    </section>
  )
}

export function StateGroups({ editor }: { editor: SiteEditor }) {
  const options = stateCodes.map((code): [string, string] => [code, states[code]])
  return <SlotList editor={editor} path="grupos.estados" options={options} choose="Dar um grupo a um estado" />
}

export function CampaignGroups({ editor }: { editor: SiteEditor }) {
  const { data } = useQuery(campaignListQuery)
  const options = (data?.campaigns ?? []).map(({ slug, titulo }): [string, string] => [slug, titulo])
  return <SlotList editor={editor} path="grupos.campanhas" options={options} choose="Dar um grupo a uma campanha" />
}
