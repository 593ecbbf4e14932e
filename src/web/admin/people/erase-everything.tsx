// Erases everything about a person, after listing what there is.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { kindLabels, type PeopleKind } from '#contract/admin/people.ts'
import { type ErasureCounts, eraseEverything, previewErasure } from '#contract/admin/people-erasure.ts'
import { callAdmin, errorMessage, isNotFound } from '#web/admin/api/client.ts'
import { refreshPeopleExcept } from '#web/admin/people/people-queries.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { formatNumber } from '#web/ui/format-number.ts'

const { people: texts } = adminMessages

interface EraseEverythingProps {
  tipo: PeopleKind
  id: string
  /** The record no longer exists. */
  onErased(): void
}

export function EraseEverything(props: EraseEverythingProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button button-danger" onClick={() => setOpen(true)}>
        {texts.eraseEverything}
      </button>
      {isOpen && <ErasureDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function ErasureDialog({ tipo, id, onErased, onClose }: EraseEverythingProps & { onClose(): void }) {
  const queries = useQueryClient()
  const params = { tipo, id }
  const preview = useQuery({
    queryKey: ['pessoas', tipo, 'tudo', id],
    queryFn: () => callAdmin(previewErasure, { params }),
    // Counted again each time the dialog opens.
    gcTime: 0,
    staleTime: 0,
  })
  const erasure = useMutation({
    mutationFn: () => callAdmin(eraseEverything, { params }),
    onSuccess({ message }) {
      showToast({ title: texts.erased, text: message, tone: 'success' })
      void refreshPeopleExcept(queries, id)
    },
    onError(error) {
      showToast({ title: 'Erro', text: errorMessage(error, texts.eraseFailed), tone: 'error' })
      if (isNotFound(error)) void refreshPeopleExcept(queries, id)
    },
  })
  if (!preview.data)
    return (
      <Dialog title={texts.eraseEverything} onClose={onClose}>
        <QueryBoundary query={preview}>{() => null}</QueryBoundary>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
        </div>
      </Dialog>
    )
  return (
    <Confirmation
      title={texts.eraseEverything}
      question={texts.eraseEverythingQuestion}
      action="Apagar tudo"
      busy={erasure.isPending}
      {...(erasure.error && { problem: errorMessage(erasure.error, texts.eraseFailed) })}
      // This callback does not run after unmount: a user who has navigated elsewhere stays there.
      onConfirm={() => erasure.mutate(undefined, { onSuccess: onErased })}
      onClose={isNotFound(erasure.error) ? onErased : onClose}
    >
      <ul>
        {linesOf(preview.data).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>{texts.eraseEverythingDetails}</p>
    </Confirmation>
  )
}

/** Only what there is. */
function linesOf({ registros, conversas, notas, links, novidades }: ErasureCounts): string[] {
  const lines: [n: number, one: string, many: string][] = [
    ...registros.map(({ tipo, n }): [number, string, string] => [n, kindLabels[tipo].one, kindLabels[tipo].many]),
    [conversas, 'conversa com o chatbot', 'conversas com o chatbot'],
    [notas, 'nota da equipe', 'notas da equipe'],
    [novidades, 'novidade por e-mail', 'novidades por e-mail'],
    [links, 'link enviado por e-mail', 'links enviados por e-mail'],
  ]
  return lines.filter(([n]) => n > 0).map(([n, one, many]) => `${formatNumber(n)} ${n === 1 ? one : many}`)
}
