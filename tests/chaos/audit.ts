// Compares acknowledged submissions with the stored data: signatures and forms, signature counts, the delivery queue.
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { openEngine } from '#server/db/engine.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import type { ServerSettings } from '#tests/helpers/server-process.ts'

export interface Audit {
  /** Acknowledged, but not stored. */
  lost: string[]
  /** Stored, but never acknowledged. */
  unacknowledged: string[]
  /** Stored more than once. */
  repeated: string[]
  /** Stored with the id of another request. */
  wrongRequestId: string[]
  /** Signature counts that differ from the number of rows. If every part is right, the total is right. */
  drift: { campanha: string; estado: string; rows: number; counts: number }[]
  /** Records without a queued delivery, records with several, and deliveries of records that are not stored. */
  undelivered: number
  deliveredTwice: number
  orphanDeliveries: number
}

export const noViolations: Audit = {
  lost: [],
  unacknowledged: [],
  repeated: [],
  wrongRequestId: [],
  drift: [],
  undelivered: 0,
  deliveredTwice: 0,
  orphanDeliveries: 0,
}

interface StoredRecord {
  kind: string
  id: string
  email: string
  requestId: string
}

const tableOf = { assinaturas: 'peticoes', voluntario: 'contacts', influenciador: 'influenciadores', lider: 'lideres' }
const storedRecords = Object.entries(tableOf)
  .map(([kind, table]) => `select '${kind}' as kind, id, email, "requestId" from ${table}`)
  .join(' union all ')

/** Opens the database itself, so the server must have released an embedded folder. */
export async function auditData(
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
      select campanha, estado, coalesce(rows, 0) as rows, coalesce(n, 0) as counts
      from stored full join ${signatureCountsSql} using (campanha, estado, hora) where rows is distinct from n`,
      [],
    )
    const queued = await database.query<{ kind: string; id: string }>(
      '',
      'select kind, jsonb_array_elements_text(payload) as id from outbox where kind = any($1)',
      [Object.keys(tableOf)],
    )
    const emails = new Set<string>()
    const repeated = records.filter(({ email }) => emails.size === emails.add(email).size)
    const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`
    const deliveries = new Set(queued.map(keyOf))
    const expected = new Set(records.map(keyOf))
    return {
      lost: [...acknowledged.keys()].filter((email) => !emails.has(email)),
      unacknowledged: [...emails].filter((email) => !acknowledged.has(email)),
      repeated: repeated.map(({ email }) => email),
      wrongRequestId: records
        .filter(({ email, requestId }) => acknowledged.has(email) && acknowledged.get(email) !== requestId)
        .map(({ email }) => email),
      drift,
      undelivered: [...expected].filter((key) => !deliveries.has(key)).length,
      deliveredTwice: queued.length - deliveries.size,
      orphanDeliveries: [...deliveries].filter((key) => !expected.has(key)).length,
    }
  } finally {
    await database.close()
    await engine.stop()
  }
}
