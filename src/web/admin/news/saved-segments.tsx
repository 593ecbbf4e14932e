// Selections of recipients that the team has saved: use, save, delete.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { type NewsSegment, newsLimits, removeSegment, type SavedSegment, saveSegment } from '#contract/admin/news.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { segmentsQuery } from '#web/admin/news/news-queries.ts'
import { segmentText } from '#web/admin/news/news-values.ts'
import { NameDialog, RemovalDialog } from '#web/admin/ui/saved-item-dialogs.tsx'
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
        createPortal(
          <NameDialog
            title="Salvar seleção"
            note="Toda a equipe vê as seleções salvas e pode usá-las em outras novidades."
            label="Nome da seleção"
            maxLength={newsLimits.segmentName}
            failure="Não foi possível salvar a seleção."
            save={(nome) => callAdmin(saveSegment, { body: { nome, segmento: segment } })}
            onDone={onDone}
            onClose={close}
          />,
          document.body,
        )}
      {opened?.action === 'remove' &&
        createPortal(
          <RemovalDialog
            title="Apagar seleção"
            question={`A seleção “${opened.saved.nome}” sai para toda a equipe. As novidades que a usaram continuam como estão.`}
            failure="Não foi possível apagar a seleção."
            remove={() => callAdmin(removeSegment, { params: { id: String(opened.saved.id) } })}
            onDone={onDone}
            onClose={close}
          />,
          document.body,
        )}
    </section>
  )
}
