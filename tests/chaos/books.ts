// Compares what people were told with what is stored: signatures and forms, the ledger of counts, the queue of deliveries.
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { openEngine } from '#server/db/engine.ts'
import { counted } from '#tests/helpers/counted.ts'
import type { ServerSettings } from '#tests/helpers/server-process.ts'

export interface Audit {
  /** Acknowledged, but not stored. */
  lost: string[]
  /** Stored, but whoever sent it was never told. */
  untold: string[]
  /** Stored more than once. */
  repeated: string[]
  /** Stored under the id of another request. */
  mistaken: string[]
  /** Parts of the ledger that say another number than the table; where every part is right, so is the total. */
  drift: { campanha: string; estado: string; rows: number; ledger: number }[]
  /** Records that are queued for delivery never, or more than once, and deliveries of what is not stored. */
  undelivered: number
  deliveredTwice: number
  groundless: number
}

export const inOrder: Audit = {
  lost: [],
  untold: [],
  repeated: [],
  mistaken: [],
  drift: [],
  undelivered: 0,
  deliveredTwice: 0,
  groundless: 0,
}

interface StoredRecord {
  tipo: string
  id: string
  email: string
  requestId: string
}

const tableOf = { assinaturas: 'peticoes', voluntario: 'contacts', influenciador: 'influenciadores', lider: 'lideres' }
const storedRecords = Object.entries(tableOf)
  .map(([tipo, table]) => `select '${tipo}' as tipo, id, email, "requestId" from ${table}`)
  .join(' union all ')

/** Opens the data itself, so the server must have left an embedded folder. */
export async function auditBooks(
  { env = {}, dataDir = '' }: ServerSettings,
  acknowledged: Map<string, string>,
): Promise<Audit> {
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir, ...env }))
  const database = openDatabase(engine, createLog('silent'))
  try {
    const records = await database.query<StoredRecord>('', storedRecords, [])
    const drift = await database.query<Audit['drift'][number]>(
      '',
      `with stored as (
        select campanha, estado, date_trunc('hour', "createdAt") as hora, count(*)::int as rows from peticoes group by 1, 2, 3)
      select campanha, estado, coalesce(rows, 0) as rows, coalesce(n, 0) as ledger
      from stored full join ${counted} using (campanha, estado, hora) where rows is distinct from n`,
      [],
    )
    const queued = await database.query<{ tipo: string; id: string }>(
      '',
      'select tipo, jsonb_array_elements_text(dados) as id from outbox where tipo = any($1)',
      [Object.keys(tableOf)],
    )
    const emails = new Set<string>()
    const repeated = records.filter(({ email }) => emails.size === emails.add(email).size)
    const keyOf = ({ tipo, id }: { tipo: string; id: string }) => `${tipo} ${id}`
    const deliveries = new Set(queued.map(keyOf))
    const owed = new Set(records.map(keyOf))
    return {
      lost: [...acknowledged.keys()].filter((email) => !emails.has(email)),
      untold: [...emails].filter((email) => !acknowledged.has(email)),
      repeated: repeated.map(({ email }) => email),
      mistaken: records
        .filter(({ email, requestId }) => acknowledged.has(email) && acknowledged.get(email) !== requestId)
        .map(({ email }) => email),
      drift,
      undelivered: [...owed].filter((key) => !deliveries.has(key)).length,
      deliveredTwice: queued.length - deliveries.size,
      groundless: [...deliveries].filter((key) => !owed.has(key)).length,
    }
  } finally {
    await database.close()
    await engine.stop()
  }
}
