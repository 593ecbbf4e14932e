// The kinds of outbox rows, and the statement that queues them.
import { formTables } from '#server/db/people-descriptors.ts'

/** The kinds of outbox rows. Databases hold rows of earlier versions, so a kind keeps its name. */
export const outboxKinds = [
  ...([
    'email',
    'emails',
    'assinaturas',
    'assinaturas-repetidas',
    'pedidos-repetidos',
    'lembretes',
    'novidade',
    'meus-dados',
    'meus-dados-email',
  ] as const),
  ...formTables.map(({ outboxKind }) => outboxKind),
  ...(['planilha', 'planilha-atualizar', 'planilha-remover', 'planilha-conferir', 'planilha-remover-antiga'] as const),
] as const
export type OutboxKind = (typeof outboxKinds)[number]

interface EnqueueOptions {
  /** What follows the select list: `from`, `where`, `group by` or `having`. */
  clauses?: string
  /** An SQL expression; now by default. */
  dueAt?: string
  /** An SQL expression; now by default. */
  createdAt?: string
}

/** The statement that queues rows of one kind. `payload` is an SQL expression. Other statements contain it as a CTE. */
export function enqueueSql(kind: OutboxKind, payload: string, options: EnqueueOptions = {}): string {
  const { clauses = '', dueAt, createdAt } = options
  const columns = {
    kind: `'${kind}'`,
    payload,
    ...(dueAt && { '"dueAt"': dueAt }),
    ...(createdAt && { '"createdAt"': createdAt }),
  }
  const [names, values] = [Object.keys(columns), Object.values(columns)]
  return `insert into outbox (${names.join(', ')}) select ${values.join(', ')} ${clauses}`
}
