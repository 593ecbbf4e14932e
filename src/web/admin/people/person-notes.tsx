// Notes of the team about one record, the newest first.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Note, PeopleKind } from '#contract/admin/people.ts'
import { addNote, removeNote } from '#contract/admin/people-edits.ts'
import { maxNoteLength } from '#contract/admin/people-workflow.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { personQuery } from '#web/admin/people/people-queries.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'
import '#web/forms/fields/field.css'

interface PersonNotesProps {
  tipo: PeopleKind
  id: string
  notes: Note[]
  /** The record was erased, so a typed note cannot be saved. */
  isErased(): boolean
}

export function PersonNotes({ tipo, id, notes, isErased }: PersonNotesProps) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [removed, setRemoved] = useState<Note>()
  const refresh = () => queries.invalidateQueries({ queryKey: personQuery(tipo, id).queryKey })
  const adding = useMutation({
    mutationFn: () => callAdmin(addNote, { params: { tipo, id }, body: { texto: text } }),
    async onSuccess() {
      setText('')
      await refresh()
    },
  })
  const removing = useMutation({
    mutationFn: (note: Note) => callAdmin(removeNote, { params: { tipo, id, nota: String(note.id) } }),
    async onSuccess() {
      setRemoved(undefined)
      await refresh()
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() && !adding.isPending) adding.mutate()
  }

  return (
    <section className="panel" aria-labelledby="notas">
      <UnsavedGuard when={() => text.trim() !== '' && !isErased()} />
      <h2 id="notas">Notas</h2>
      <form className="field note-form" onSubmit={submit}>
        <label htmlFor="nota">Nova nota</label>
        <textarea
          id="nota"
          rows={3}
          maxLength={maxNoteLength}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <p role="alert" className="error">
          {adding.error && errorMessage(adding.error, 'Não foi possível salvar a nota.')}
        </p>
        <button type="submit" className="button" disabled={!text.trim() || adding.isPending}>
          Salvar nota
        </button>
      </form>
      {notes.length === 0 ? (
        <p className="faint">Nenhuma nota ainda. Toda a equipe lê o que for escrito aqui.</p>
      ) : (
        <ol className="notes">
          {notes.map((note) => (
            <li key={note.id}>
              <p className="note-head">
                <strong>{note.autor}</strong> <span className="faint">{formatDateTime(note.quando)}</span>
              </p>
              <p className="note-text">{note.texto}</p>
              <button
                type="button"
                className="button small"
                aria-label={`Apagar a nota de ${note.autor}, ${formatDateTime(note.quando)}`}
                onClick={() => setRemoved(note)}
              >
                Apagar
              </button>
            </li>
          ))}
        </ol>
      )}
      {removed && (
        <Confirmation
          title="Apagar a nota"
          question="A nota sai para toda a equipe. Não dá para desfazer."
          action="Apagar"
          busy={removing.isPending}
          {...(removing.error && { problem: errorMessage(removing.error, 'Não foi possível apagar a nota.') })}
          onConfirm={() => removing.mutate(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </section>
  )
}
