// The payload of each kind of outbox row. Databases hold rows of earlier versions, so keys stay as they are.
import * as z from 'zod/mini'
import { isOurId } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { enqueueSql, type OutboxKind } from '#server/db/outbox.ts'
import { allTables, type FormOutboxKind, formTables } from '#server/db/people-descriptors.ts'

const signatureTemplates = ['assinatura', 'lembrete', 'repetida', 'novidades'] as const
const template = z.enum([...signatureTemplates, ...formTables.map(({ emailTemplate }) => emailTemplate)])
export type EmailTemplate = z.output<typeof template>

const personTable = z.enum(allTables.map(({ table }) => table))

const recordId = z.string().check(z.refine(isOurId))
const recordIds = z.array(recordId)
const sheetTab = { aba: z.string().check(z.minLength(1)), tabela: z.optional(personTable) }

const newForms = Object.fromEntries(formTables.map(({ outboxKind }) => [outboxKind, recordIds])) as Record<
  FormOutboxKind,
  typeof recordIds
>

const payloadSchemas = {
  email: z.object({ modelo: template, id: recordId }),
  /** E-mails that are split into rows of the kind `email` when the e-mail handler has nothing else to send. */
  emails: z.object({ modelo: template, ids: recordIds }),

  /** A news item to one mailbox: its HMAC, in base64. */
  novidade: z.object({ novidade: z.int(), destinatario: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)) }),

  /** A request for the link to a person's own data. The address is known to us or not. */
  'meus-dados': z.object({ email: z.string() }),
  /** The e-mail with that link, to an address that we have data of. */
  'meus-dados-email': z.object({ email: z.string() }),

  // The fan-out replaces these.
  assinaturas: recordIds,
  'pedidos-repetidos': z.array(
    z.object({
      campanha: z.string(),
      emailCanonico: z.string(),
      requestId: z.string(),
      aceitaNovidades: z.optional(z.boolean()),
    }),
  ),
  /** Written only by earlier versions. */
  'assinaturas-repetidas': recordIds,
  lembretes: recordIds,
  ...newForms,

  /** Records to add. `duvida`: the rows were sent before, and the result is unknown. */
  planilha: z.object({ ...sheetTab, ids: recordIds, duvida: z.optional(z.boolean()) }),
  /** Rows whose consent or confirmation changed. `tudo`: the person corrected the record, so all cells are updated. */
  'planilha-atualizar': z.object({ ...sheetTab, ids: recordIds, tudo: z.optional(z.boolean()) }),
  /** People who were erased together, or one person. */
  'planilha-remover': z.union([z.object({ ...sheetTab, ids: recordIds }), z.object({ ...sheetTab, id: recordId })]),
  /** A tab to check for duplicates and incomplete rows. */
  'planilha-conferir': z.object(sheetTab),
  /** Erased people who may have rows in a spreadsheet that was used before. */
  'planilha-remover-antiga': z.object({ planilha: z.string(), aba: z.string(), tabela: personTable, ids: recordIds }),
} satisfies Record<OutboxKind, z.ZodMiniType>

export type Payload<K extends string> = K extends OutboxKind ? z.output<(typeof payloadSchemas)[K]> : unknown

/** A kind without a schema is not checked. Such kinds exist only in tests. */
export function parsePayload(kind: string, payload: unknown) {
  const schemas: Record<string, z.ZodMiniType | undefined> = payloadSchemas
  return (schemas[kind] ?? z.unknown()).safeParse(payload)
}

/** The reason of a dead letter whose payload does not match its schema. Administrators read it. */
export function unreadableReason(kind: string): string {
  if (kind === 'novidade') return 'Não foi possível entender a quem enviar a novidade.'
  if (kind.startsWith('meus-dados')) return 'Não foi possível entender quem pediu os próprios dados.'
  if (kind === 'email') return 'Modelo de e-mail desconhecido.'
  if (kind.startsWith('planilha')) return 'Não foi possível entender o que gravar na planilha.'
  return 'Não foi possível entender o que entregar.'
}

export async function enqueue<K extends OutboxKind>(
  { query }: Database,
  kind: K,
  payload: Payload<K>,
  { delayMs = 0 } = {},
): Promise<void> {
  const text = enqueueSql(kind, '$1::jsonb', { dueAt: `now() + $2 * interval '1 millisecond'` })
  await query(`enqueue-${kind}`, text, [JSON.stringify(payload), delayMs])
}
