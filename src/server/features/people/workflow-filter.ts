// Turns the filters by status, owner and tag into conditions on `people_workflow`. Records that nobody has worked on
// have no row there.
import type { PeopleFilters, PeopleKind } from '#contract/admin/people.ts'
import { withoutOwner } from '#contract/admin/people-workflow.ts'
import type { Statement } from '#server/features/people/statement.ts'

export interface WorkflowCondition {
  /** Conditions whose matches an index returns in id order. */
  indexed(s: Statement, row?: string): string[]
  /** Conditions that are checked row by row. */
  others(s: Statement, row?: string): string[]
}

/** The filters, with the id of the owner: the planner knows how many rows have an id, but not a user name. */
interface WorkflowFilters extends Pick<PeopleFilters, 'status' | 'responsavel' | 'etiqueta'> {
  ownerId: string | undefined
}

/** Undefined if records without a row can match. */
export function workflowConditionOf(filters: WorkflowFilters): WorkflowCondition | undefined {
  const { status, responsavel, ownerId, etiqueta } = filters
  if (!(status && status !== 'novo') && !ownerId && !etiqueta) return undefined
  return {
    indexed: (s, row = 'w') => [
      ...(status ? [`${row}.status = ${s.value(status)}`] : []),
      ...(ownerId ? [`${row}."ownerId" = ${s.value(ownerId)}`] : []),
    ],
    others: (s, row = 'w') => [
      ...(responsavel === withoutOwner ? [`${row}."ownerId" is null`] : []),
      ...(etiqueta ? [`${row}.tags @> array[${s.value(etiqueta)}::text]`] : []),
    ],
  }
}

/** Conditions on the record `p` that hold for records without a row. */
export function lacksWorkflowSql(kind: PeopleKind, filters: WorkflowFilters): string[] {
  if (workflowConditionOf(filters)) return []
  const { status, responsavel } = filters
  const differs = [
    ...(status ? [`w.status <> 'novo'`] : []),
    ...(responsavel === withoutOwner ? ['w."ownerId" is not null'] : []),
  ]
  if (differs.length === 0) return []
  return [
    // With `offset 0` the rows are looked up one by one. Otherwise the planner may read the whole table.
    `not exists (select from people_workflow w where w.kind = '${kind}' and w.id = p.id and (${differs.join(' or ')}) offset 0)`,
  ]
}

/** Whether the record `p` has a row that meets the condition. With `offset 0` the rows are looked up one by one. */
export function hasWorkflowSql(kind: PeopleKind, { indexed, others }: WorkflowCondition, s: Statement): string {
  const conditions = [`w.kind = '${kind}'`, 'w.id = p.id', ...indexed(s), ...others(s)]
  return `exists (select from people_workflow w where ${conditions.join(' and ')} offset 0)`
}
