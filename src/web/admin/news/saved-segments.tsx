// Selections of recipients that the team has saved: use, save, delete.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { type NewsSegment, newsLimits, removeSegment, type SavedSegment, saveSegment } from '#contract/admin/news.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { segmentsQuery } from '#web/admin/news/news-queries.ts'
import { segmentText } from '#web/admin/news/news-values.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

interface SavedSegmentsProps {
  segment: NewsSegment
  onLoad(segment: NewsSegment): void
}

type Opened = { action: 'save' } | { action: 'remove'; saved: SavedSegment }

export function SavedSegments({ segment, onLoad }: SavedSegmentsProps) {
  const queries = useQueryClient()
  const { data } = useQuery(segmentsQuery)
  const [opened, setOpened] = useState<Opened>()
  const saved = data?.selecoes ?? []
  const current = segmentText(segment)
  const onDone = async ({ message }: { message: string }) => {
    showToast({ title: messages.toast.success, text: message, tone: 'success' })
    await queries.invalidateQueries({ queryKey: segmentsQuery.queryKey })
    setOpened(undefined)
  }
  const close = () => setOpened(undefined)
  return (
    <section className="saved-segments" aria-label="Seleções salvas">
      {saved.length > 0 && (
        <details>
          <summary>Seleções salvas ({saved.length})</summary>
          <ul>
            {saved.map((each) => (
              <li key={each.id}>
                <span className="saved-segment-name">{each.nome}</span>
                <button
                  type="button"
                  className="button small"
                  aria-pressed={segmentText(each.segmento) === current}
                  aria-label={`Usar a seleção ${each.nome}`}
                  title={`Salva por ${each.autor}`}
                  onClick={() => onLoad(each.segmento)}
                >
                  Usar
                </button>
                <button
                  type="button"
                  className="button small"
                  aria-label={`Apagar a seleção ${each.nome}`}
                  onClick={() => setOpened({ action: 'remove', saved: each })}
                >
                  Apagar
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <button type="button" className="button small" onClick={() => setOpened({ action: 'save' })}>
        Salvar esta seleção
      </button>
      {/* Outside the form of the news item: their fields do not belong to it. */}
      {opened?.action === 'save' &&
        createPortal(<SegmentName segment={segment} onDone={onDone} onClose={close} />, document.body)}
      {opened?.action === 'remove' &&
        createPortal(<Removal saved={opened.saved} onDone={onDone} onClose={close} />, document.body)}
    </section>
  )
}

interface ClosingProps {
  onDone(reply: { message: string }): Promise<void>
  onClose(): void
}

function SegmentName({ segment, onDone, onClose }: ClosingProps & { segment: NewsSegment }) {
  const saving = useMutation({
    mutationFn: (nome: string) => callAdmin(saveSegment, { body: { nome, segmento: segment } }),
    onSuccess: onDone,
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // React events bubble through portals.
    event.stopPropagation()
    if (!saving.isPending) saving.mutate(String(new FormData(event.currentTarget).get('nome')))
  }
  const problem = saving.error ? errorMessage(saving.error, 'Não foi possível salvar a seleção.') : ''
  return (
    <Dialog title="Salvar seleção" onClose={onClose}>
      <form onSubmit={submit} onInput={(event) => event.stopPropagation()} noValidate>
        <p>Toda a equipe vê as seleções salvas e pode usá-las em outras novidades.</p>
        <div className="field">
          <label htmlFor="nome-da-selecao">Nome da seleção</label>
          <input
            id="nome-da-selecao"
            name="nome"
            maxLength={newsLimits.segmentName}
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'nome-da-selecao-erro' : undefined}
          />
          <p role="alert" id="nome-da-selecao-erro" className="error">
            {problem}
          </p>
        </div>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" aria-disabled={saving.isPending || undefined}>
            Salvar
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Removal({ saved, onDone, onClose }: ClosingProps & { saved: SavedSegment }) {
  const removing = useMutation({
    mutationFn: () => callAdmin(removeSegment, { params: { id: String(saved.id) } }),
    onSuccess: onDone,
  })
  return (
    <Confirmation
      title="Apagar seleção"
      question={`A seleção “${saved.nome}” sai para toda a equipe. As novidades que a usaram continuam como estão.`}
      action="Apagar"
      busy={removing.isPending}
      problem={removing.error ? errorMessage(removing.error, 'Não foi possível apagar a seleção.') : ''}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  )
}
