// Compares what people were told with what is stored: signatures, the ledger of counts, the queue of deliveries.
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { openEngine } from '#server/db/engine.ts'
import type { ServerSettings } from '#tests/helpers/server-process.ts'

export interface Audit {
  /** Acknowledged, but not stored. */
  lost: string[]
  /** Stored, but whoever signed was never told. */
  untold: string[]
  /** Stored more than once. */
  repeated: string[]
  /** Stored under the id of another request. */
  mistaken: string[]
  /** Campaigns whose ledger says another number than the table. */
  drift: { campanha: string; rows: number; ledger: number }[]
  /** Signatures that are queued for delivery never, or more than once. */
  undelivered: number
  deliveredTwice: number
}

export const inOrder: Audit = {
  lost: [],
  untold: [],
  repeated: [],
  mistaken: [],
  drift: [],
  undelivered: 0,
  deliveredTwice: 0,
}

interface StoredSignature {
  id: string
  email: string
  requestId: string
}

/** Opens the data itself, so the server must have left an embedded folder. */
export async function auditBooks(
  { env = {}, dataDir = '' }: ServerSettings,
  acknowledged: Map<string, string>,
): Promise<Audit> {
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir, ...env }))
  const database = openDatabase(engine, createLog('silent'))
  try {
    const rows = await database.query<StoredSignature>('', 'select id, email, "requestId" from peticoes', [])
    const drift = await database.query<Audit['drift'][number]>(
      '',
      `with stored as (select campanha, count(*)::int as rows from peticoes group by 1),
        counted as (select campanha, sum(n)::int as ledger from peticoes_por_hora group by 1)
      select campanha, coalesce(rows, 0) as rows, coalesce(ledger, 0) as ledger
      from stored full join counted using (campanha) where rows is distinct from ledger`,
      [],
    )
    const queued = await database.query<{ id: string }>(
      '',
      `select jsonb_array_elements_text(dados) as id from outbox where tipo = 'assinaturas'`,
      [],
    )
    const emails = new Set(rows.map(({ email }) => email))
    const deliveries = new Set(queued.map(({ id }) => id))
    return {
      lost: [...acknowledged.keys()].filter((email) => !emails.has(email)),
      untold: [...emails].filter((email) => !acknowledged.has(email)),
      repeated: rows.map(({ email }) => email).filter((email, index, all) => all.indexOf(email) !== index),
      mistaken: rows
        .filter(({ email, requestId }) => acknowledged.has(email) && acknowledged.get(email) !== requestId)
        .map(({ email }) => email),
      drift,
      undelivered: rows.filter(({ id }) => !deliveries.has(id)).length,
      deliveredTwice: queued.length - deliveries.size,
    }
  } finally {
    await database.close()
    await engine.stop()
  }
}
