// Status, owner and tags of one record. Every change is saved at once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PeopleKind } from '#contract/admin/people.ts'
import { updateWorkflow } from '#contract/admin/people-edits.ts'
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

export function WorkflowPanel({ tipo, id, workflow }: WorkflowPanelProps) {
  const queries = useQueryClient()
  const options = useQuery(workflowOptionsQuery)
  const saving = useMutation({
    mutationFn: (changes: Partial<Workflow>) => callAdmin(updateWorkflow, { params: { tipo, id }, body: changes }),
    onSuccess({ status, responsavel, etiquetas }) {
      queries.setQueryData(personQuery(tipo, id).queryKey, (current) =>
        current ? { ...current, pessoa: { ...current.pessoa, status, responsavel, etiquetas } } : current,
      )
      void refreshPeople(queries)
    },
  })
  const { isPending, variables, error } = saving
  /** What was chosen last is visible while it is being saved. */
  const shown = isPending ? { ...workflow, ...variables } : workflow
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
        onChange={(etiquetas) => saving.mutate({ etiquetas })}
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
