// Status, owner and tags of one record. Every change is saved at once.
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PeopleKind } from '#contract/admin/people.ts'
import { updateWorkflow, type WorkflowChanges } from '#contract/admin/people-edits.ts'
import { type Workflow, workflowStatuses } from '#contract/admin/people-workflow.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { personQuery, refreshPeople, workflowOptionsQuery } from '#web/admin/people/people-queries.ts'
import { TagsField } from '#web/admin/people/tags-field.tsx'
import '#web/forms/fields/field.css'

interface WorkflowPanelProps {
  tipo: PeopleKind
  id: string
  workflow: Workflow
}

function withChanges(workflow: Workflow, { status, responsavel, incluir = [], tirar = [] }: WorkflowChanges): Workflow {
  return {
    status: status ?? workflow.status,
    responsavel: responsavel === undefined ? workflow.responsavel : responsavel,
    etiquetas: [...new Set([...workflow.etiquetas, ...incluir])].filter((tag) => !tirar.includes(tag)),
  }
}

export function WorkflowPanel({ tipo, id, workflow }: WorkflowPanelProps) {
  const queries = useQueryClient()
  const options = useQuery(workflowOptionsQuery)
  const mutationKey = ['acompanhamento', tipo, id]
  const saving = useMutation({
    mutationKey,
    // One after the other, in the order in which they were made.
    scope: { id: mutationKey.join(' ') },
    mutationFn: (changes: WorkflowChanges) => callAdmin(updateWorkflow, { params: { tipo, id }, body: changes }),
    onSuccess({ status, responsavel, etiquetas }) {
      queries.setQueryData(personQuery(tipo, id).queryKey, (current) =>
        current ? { ...current, pessoa: { ...current.pessoa, status, responsavel, etiquetas } } : current,
      )
      void refreshPeople(queries)
    },
  })
  const { error } = saving
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as WorkflowChanges,
  })
  const isPending = pending.length > 0
  /** Choices are visible while they are being saved. */
  const shown = pending.reduce(withChanges, workflow)
  const team = options.data?.equipe ?? []
  const owners = shown.responsavel && !team.includes(shown.responsavel) ? [...team, shown.responsavel] : team

  return (
    <section className="panel workflow" aria-labelledby="acompanhamento">
      <h2 id="acompanhamento">Acompanhamento</h2>
      <div className="workflow-choices">
        <div className="field">
          <label htmlFor="status">Situação</label>
          <select
            id="status"
            value={shown.status}
            onChange={({ currentTarget }) => saving.mutate({ status: currentTarget.value as Workflow['status'] })}
          >
            {Object.entries(workflowStatuses).map(([status, label]) => (
              <option key={status} value={status}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="responsavel">Responsável</label>
          <select
            id="responsavel"
            value={shown.responsavel ?? ''}
            onChange={({ currentTarget }) => saving.mutate({ responsavel: currentTarget.value || null })}
          >
            <option value="">Ninguém</option>
            {owners.map((username) => (
              <option key={username} value={username}>
                {username}
              </option>
            ))}
          </select>
        </div>
      </div>
      <TagsField
        label="Etiquetas"
        tags={shown.etiquetas}
        suggestions={options.data?.etiquetas ?? []}
        onChange={(etiquetas) =>
          saving.mutate({
            incluir: etiquetas.filter((tag) => !workflow.etiquetas.includes(tag)),
            // Also those that are still being added.
            tirar: [...new Set([...workflow.etiquetas, ...shown.etiquetas])].filter((tag) => !etiquetas.includes(tag)),
          })
        }
      />
      <p role="status" className="faint">
        {isPending ? 'Salvando...' : saving.isSuccess ? 'Salvo.' : ''}
      </p>
      <p role="alert" className="error">
        {error && errorMessage(error, 'Não foi possível salvar.')}
      </p>
    </section>
  )
}
