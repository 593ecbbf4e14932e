// The list as a file: in which format, how far it is, and whether it is whole.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { type Query, sentenceOf } from '#web/admin/api.ts'
import { type Progress, saveFile, takeExport } from '#web/admin/people/take-export.ts'
import { countInWords } from '#web/admin/people/words.ts'
import { inWords } from '#web/admin/ui/amounts.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { useSuccessor } from '#web/admin/ui/use-successor.ts'
import '#web/forms/choices-field.css'

interface ExportDialogProps {
  tipo: PeopleKind
  filters: Query
  total: { total: number; exato: boolean } | undefined
  onClose(): void
}

const formats = { xlsx: 'Planilha do Excel (XLSX)', csv: 'Texto separado por ponto e vírgula (CSV)' }

export function ExportDialog({ tipo, filters, total, onClose }: ExportDialogProps) {
  const [progress, setProgress] = useState<Progress>()
  const leaving = useRef<AbortController>(undefined)
  // Who closes the window or leaves the page does not want it any more: the server stops too.
  useEffect(() => () => leaving.current?.abort(), [])

  const exporting = useMutation({
    mutationFn: (query: Query) => {
      leaving.current = new AbortController()
      setProgress(undefined)
      return takeExport({
        tipo,
        query: { ...filters, ...query },
        signal: leaving.current.signal,
        onProgress: setProgress,
      })
    },
    onSuccess: saveFile,
  })
  const { data, error, isPending, mutate, reset } = exporting
  const step = useSuccessor(isPending)
  const wasCancelled = error instanceof DOMException && error.name === 'AbortError'

  function start(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    mutate(Object.fromEntries(new FormData(event.currentTarget)) as Query)
  }

  return (
    <Dialog title="Exportar" onClose={onClose}>
      <form onSubmit={start} className="export">
        <p>
          {total ? `O arquivo terá ${countInWords(tipo, total)}, ` : 'O arquivo terá as pessoas da lista, '}
          com os filtros que estão na tela. A exportação fica registrada.
        </p>
        <fieldset className="choices" disabled={isPending}>
          <legend>Formato</legend>
          {Object.entries(formats).map(([formato, words]) => (
            <label className="check" key={formato}>
              <input type="radio" name="formato" value={formato} defaultChecked={formato === 'xlsx'} />
              <span>{words}</span>
            </label>
          ))}
        </fieldset>
        {tipo === 'lideres' && (
          <label className="check">
            <input type="checkbox" name="reservados" value="sim" disabled={isPending} />
            <span>Incluir CPF, nascimento, endereço e CEP. Esta escolha fica registrada.</span>
          </label>
        )}
        {isPending && <Bar progress={progress} />}
        <p role="status">
          {data && `Pronto: ${data.name}, com ${inWords(data.lines)} ${data.lines === 1 ? 'linha' : 'linhas'}.`}
          {wasCancelled && 'Exportação cancelada.'}
        </p>
        <p role="alert" className="error">
          {error &&
            !wasCancelled &&
            sentenceOf(error, adminMessages.people.exportFailed, adminMessages.people.exportFailed)}
        </p>
        <div className="actions">
          {isPending ? (
            <button ref={step} type="button" className="button" onClick={() => leaving.current?.abort()}>
              Cancelar exportação
            </button>
          ) : (
            <>
              {data && (
                <button type="button" className="button" onClick={() => saveFile(data)}>
                  Salvar de novo
                </button>
              )}
              <button ref={step} type="submit" className="button button-yellow" onClick={reset}>
                Exportar
              </button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function Bar({ progress }: { progress: Progress | undefined }) {
  const { lines = 0, total = 0, exact = false } = progress ?? {}
  return (
    <div className="export-progress">
      <progress
        aria-label="Andamento da exportação"
        max={exact ? Math.max(total, 1) : undefined}
        value={exact ? lines : undefined}
      />
      <span>
        {inWords(lines)} {exact ? `de ${inWords(total)} linhas` : 'linhas até agora'}
      </span>
    </div>
  )
}
