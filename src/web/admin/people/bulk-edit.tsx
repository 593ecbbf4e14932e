// Edits the workflow of the selected people, or of all people of the filter, with progress.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { editPeople } from '#contract/admin/people-edits.ts'
import { maxTags, workflowStatuses } from '#contract/admin/people-workflow.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { formatPeopleCount } from '#web/admin/people/people-labels.ts'
import { refreshPeople, workflowOptionsQuery } from '#web/admin/people/people-queries.ts'
import { readProgress } from '#web/admin/people/progress-stream.ts'
import { TagsField } from '#web/admin/people/tags-field.tsx'
import type { Selection } from '#web/admin/people/use-selection.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { formatNumber, pluralize } from '#web/admin/ui/format-number.ts'
import '#web/admin/ui/save-bar.css'
import '#web/forms/fields/field.css'

interface Total {
  total: number
  exato: boolean
}

interface SelectionBarProps {
  tipo: PeopleKind
  pageIds: string[]
  selection: Selection
  total: Total | undefined
}

/** Selects the page, and extends the selection to the filter. */
export function SelectionBar({ tipo, pageIds, selection, total }: SelectionBarProps) {
  const { ids, isEverything } = selection
  const isPageSelected = isEverything || pageIds.every((id) => ids.includes(id))
  const hasMore = total && (!total.exato || total.total > pageIds.length)
  return (
    <div className="selection-bar">
      <label className="check">
        <input
          type="checkbox"
          checked={isPageSelected}
          onChange={() => (isPageSelected ? selection.clear() : selection.select(pageIds))}
        />
        <span>Selecionar a página</span>
      </label>
      {isPageSelected && !isEverything && hasMore && total && (
        <button type="button" className="button small" onClick={selection.selectEverything}>
          Selecionar todo o filtro: {formatPeopleCount(tipo, total)}
        </button>
      )}
    </div>
  )
}

interface SelectionActionsProps extends Pick<SelectionBarProps, 'tipo' | 'selection' | 'total'> {
  onEdit(): void
}

/** Says what is selected, and edits it. Stays in view, because a list is many screens long on a phone. */
export function SelectionActions({ tipo, selection, total, onEdit }: SelectionActionsProps) {
  const { ids, isEverything } = selection
  const isSelected = isEverything || ids.length > 0
  return (
    <div className={isSelected ? 'save-bar selection-actions' : 'selection-actions'}>
      <p role="status">
        {isEverything && total && `Na seleção: ${formatPeopleCount(tipo, total)}`}
        {!isEverything && ids.length > 0 && pluralize(ids.length, 'selecionada', 'selecionadas')}
      </p>
      {isSelected && (
        <button type="button" className="button button-yellow small" onClick={onEdit}>
          Editar seleção
        </button>
      )}
    </div>
  )
}

interface BulkEditDialogProps {
  tipo: PeopleKind
  filters: Record<string, string>
  selection: Selection
  total: Total | undefined
  onClose(): void
}

const unchanged = ''
const nobody = '(ninguem)'

export function BulkEditDialog({ tipo, filters, selection, total, onClose }: BulkEditDialogProps) {
  const queries = useQueryClient()
  const { data: options } = useQuery(workflowOptionsQuery)
  const [status, setStatus] = useState(unchanged)
  const [owner, setOwner] = useState(unchanged)
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  const [typing, setTyping] = useState({ added: false, removed: false })
  const [isUnfinished, setUnfinished] = useState(false)
  const [done, setDone] = useState(0)
  const controller = useRef<AbortController>(undefined)
  // Leaving the page stops the edit, also on the server.
  useEffect(() => () => controller.current?.abort(), [])

  const editing = useMutation({
    mutationFn: async () => {
      controller.current = new AbortController()
      setDone(0)
      const body = {
        ...(selection.isEverything ? { filtros: filters } : { ids: selection.ids }),
        ...(status && { status }),
        ...(owner && { responsavel: owner === nobody ? null : owner }),
        ...(added.length > 0 && { incluir: added }),
        ...(removed.length > 0 && { tirar: removed }),
      }
      return readProgress({
        endpoint: editPeople,
        params: { tipo },
        body,
        signal: controller.current.signal,
        onLines: setDone,
      })
    },
    onSettled: () => refreshPeople(queries),
    onSuccess: () => selection.clear(),
  })
  const { isPending, isSuccess, data, error } = editing
  const wasCancelled = error instanceof DOMException && error.name === 'AbortError'
  const count = selection.isEverything ? total : { total: selection.ids.length, exato: true }
  const isTyping = typing.added || typing.removed
  const changesNothing = !status && !owner && !isTyping && added.length + removed.length === 0

  if (isSuccess)
    return (
      <Dialog title="Editar seleção" onClose={onClose}>
        <p role="status">
          Pronto: {pluralize(data.linhas, 'pessoa editada', 'pessoas editadas')}.
          {data.semEtiquetas
            ? ` As etiquetas de ${formatNumber(data.semEtiquetas)} não mudaram: passariam de ${maxTags}.`
            : ''}
        </p>
        <div className="actions">
          <button type="button" className="button button-yellow" onClick={onClose}>
            Fechar
          </button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title="Editar seleção" locked={isPending} onClose={onClose}>
      <p>
        {selection.isEverything
          ? `A mudança vale para todas as pessoas que o filtro encontra${count ? `: ${formatPeopleCount(tipo, count)}. ` : '. '}`
          : count && `A mudança vale para ${formatPeopleCount(tipo, count)}. `}
        O que fica em “Não mudar” continua como está. A edição fica registrada.
      </p>
      <fieldset className="field bulk-fields" disabled={isPending}>
        <legend className="hidden">O que mudar</legend>
        <label htmlFor="novo-status">Situação</label>
        <select id="novo-status" value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
          <option value={unchanged}>Não mudar</option>
          {Object.entries(workflowStatuses).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <label htmlFor="novo-responsavel">Responsável</label>
        <select id="novo-responsavel" value={owner} onChange={({ currentTarget }) => setOwner(currentTarget.value)}>
          <option value={unchanged}>Não mudar</option>
          <option value={nobody}>Ninguém</option>
          {options?.equipe.map((username) => (
            <option key={username} value={username}>
              {username}
            </option>
          ))}
        </select>
      </fieldset>
      <TagsField
        label="Incluir etiquetas"
        tags={added}
        suggestions={options?.etiquetas ?? []}
        disabled={isPending}
        onChange={setAdded}
        onTyping={(added) => setTyping({ ...typing, added })}
      />
      <TagsField
        label="Tirar etiquetas"
        action="Tirar"
        tags={removed}
        suggestions={options?.etiquetas ?? []}
        disabled={isPending}
        onChange={setRemoved}
        onTyping={(removed) => setTyping({ ...typing, removed })}
      />
      {isPending && (
        <div className="export-progress">
          <progress
            aria-label="Andamento da edição"
            max={count?.exato ? Math.max(count.total, 1) : undefined}
            value={count?.exato ? done : undefined}
          />
          <span>
            {formatNumber(done)} {count?.exato ? `de ${formatNumber(count.total)}` : 'até agora'}
          </span>
        </div>
      )}
      <p role="alert" className="error">
        {isTyping && isUnfinished && 'Inclua ou apague a etiqueta que ficou digitada.'}
        {wasCancelled && 'Edição cancelada. O que já foi mudado continua mudado.'}
        {error && !wasCancelled && errorMessage(error, adminMessages.workflow.editFailed)}
      </p>
      <div className="actions">
        {isPending ? (
          <button type="button" className="button" onClick={() => controller.current?.abort()}>
            Parar
          </button>
        ) : (
          <>
            <button type="button" className="button" onClick={onClose}>
              Cancelar
            </button>
            <button
              type="button"
              className="button button-yellow"
              disabled={changesNothing}
              onClick={() => (isTyping ? setUnfinished(true) : editing.mutate())}
            >
              {count?.exato ? `Mudar ${formatPeopleCount(tipo, count)}` : 'Mudar todas as que o filtro encontra'}
            </button>
          </>
        )}
      </div>
    </Dialog>
  )
}
