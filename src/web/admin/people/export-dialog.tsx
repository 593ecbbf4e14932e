// Exports the list as a file: format, progress and result.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { exportPeople, type PeopleKind } from '#contract/admin/people.ts'
import { fillPath } from '#contract/endpoint.ts'
import { errorMessage, type Query, queryString } from '#web/admin/api/client.ts'
import { formatPeopleCount } from '#web/admin/people/people-labels.ts'
import { downloadStream, type Progress, saveFile } from '#web/admin/people/progress-stream.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import '#web/forms/fields/choices-field.css'

interface ExportDialogProps {
  tipo: PeopleKind
  filters: Query
  total: { total: number; exato: boolean } | undefined
  onClose(): void
}

const formats = { xlsx: 'Planilha do Excel (XLSX)', csv: 'Texto separado por ponto e vírgula (CSV)' }

export function ExportDialog({ tipo, filters, total, onClose }: ExportDialogProps) {
  const [progress, setProgress] = useState<Progress>()
  const exportController = useRef<AbortController>(undefined)
  // Closing the dialog or leaving the page cancels the export, also on the server.
  useEffect(() => () => exportController.current?.abort(), [])

  const exporting = useMutation({
    mutationFn: (query: Query) => {
      exportController.current = new AbortController()
      setProgress(undefined)
      return downloadStream({
        path: fillPath(exportPeople.path, { tipo }) + queryString({ ...filters, ...query }),
        signal: exportController.current.signal,
        onProgress: setProgress,
      })
    },
    onSuccess: saveFile,
  })
  const { data, error, isPending, mutate, reset } = exporting
  const focusTarget = useFocusAfterRemoval(isPending)
  const wasCancelled = error instanceof DOMException && error.name === 'AbortError'

  function start(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    mutate(Object.fromEntries(new FormData(event.currentTarget)) as Query)
  }

  return (
    <Dialog title="Exportar" onClose={onClose}>
      <form onSubmit={start} className="export">
        <p>
          {total ? `O arquivo terá ${formatPeopleCount(tipo, total)}, ` : 'O arquivo terá as pessoas da lista, '}
          com os filtros que estão na tela. A exportação fica registrada.
        </p>
        <fieldset className="choices" disabled={isPending}>
          <legend>Formato</legend>
          {Object.entries(formats).map(([formato, label]) => (
            <label className="check" key={formato}>
              <input type="radio" name="formato" value={formato} defaultChecked={formato === 'xlsx'} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        {tipo === 'lideres' && (
          <label className="check">
            <input type="checkbox" name="reservados" value="sim" disabled={isPending} />
            <span>Incluir CPF, nascimento, endereço e CEP. Esta escolha fica registrada.</span>
          </label>
        )}
        <label className="check">
          <input type="checkbox" name="notas" value="sim" disabled={isPending} />
          <span>Incluir as notas da equipe</span>
        </label>
        {isPending && <ExportProgress progress={progress} />}
        <p role="status">
          {data && `Pronto: ${data.name}, com ${formatNumber(data.lines)} ${data.lines === 1 ? 'linha' : 'linhas'}.`}
          {wasCancelled && 'Exportação cancelada.'}
        </p>
        <p role="alert" className="error">
          {error &&
            !wasCancelled &&
            errorMessage(error, adminMessages.people.exportFailed, adminMessages.people.exportFailed)}
        </p>
        <div className="actions">
          {isPending ? (
            <button
              ref={focusTarget}
              type="button"
              className="button"
              onClick={() => exportController.current?.abort()}
            >
              Cancelar exportação
            </button>
          ) : (
            <>
              {data && (
                <button type="button" className="button" onClick={() => saveFile(data)}>
                  Salvar de novo
                </button>
              )}
              <button ref={focusTarget} type="submit" className="button button-yellow" onClick={reset}>
                Exportar
              </button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function ExportProgress({ progress }: { progress: Progress | undefined }) {
  const { lines = 0, total = 0, exact = false } = progress ?? {}
  return (
    <div className="export-progress">
      <progress
        aria-label="Andamento da exportação"
        max={exact ? Math.max(total, 1) : undefined}
        value={exact ? lines : undefined}
      />
      <span>
        {formatNumber(lines)} {exact ? `de ${formatNumber(total)} linhas` : 'linhas até agora'}
      </span>
    </div>
  )
}
