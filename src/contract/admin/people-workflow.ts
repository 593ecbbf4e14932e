/** How far the team got with a record: value in API and URLs, and label. */
export const workflowStatuses = {
  novo: 'Novo',
  'em-contato': 'Em contato',
  ativo: 'Ativo',
  arquivado: 'Arquivado',
} as const
export type WorkflowStatus = keyof typeof workflowStatuses

export type ImportStatus = 'staged' | 'running' | 'done' | 'failed' | 'cancelled'
