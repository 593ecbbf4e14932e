// Verifies the hash chain of the audit log. The trigger `audit_chain` (migration 0022) writes it.
import { hash } from 'node:crypto'
import type { ClientBase } from 'pg'

export interface ChainEnd {
  position: number
  hash: string
}

interface ChainProblem {
  /** Position of the first entry that is wrong or missing. */
  position: number
  kind: 'changed' | 'missing' | 'unchained' | 'other-hash'
}

/** `end` is the last verified entry. */
export interface ChainReport {
  end: ChainEnd
  problem?: ChainProblem
}

interface StoredEntry {
  position: string
  hash: Buffer
  /** The values that the hash covers, in its order, as text. */
  fields: (string | null)[]
}

const entriesPerPage = 2_000

// The values are converted by the database, as in the function `audit_hash`.
const readPage = `
select "position"::text as position, hash, array["position"::text, id::text,
  ((extract(epoch from "createdAt") * 1000000)::bigint)::text, username::text, action::text, target, changes::text,
  session::text, address::text] as fields
from admin_actions where "position" > $1 order by admin_actions."position" limit ${entriesPerPage}`

/** Length and text of each value, so that no two entries have the same encoding. */
const encode = (fields: StoredEntry['fields']) =>
  fields.map((field) => (field === null ? '-,' : `${Buffer.byteLength(field)}:${field},`)).join('')

function hashOf(previous: Buffer, fields: StoredEntry['fields']): Buffer {
  return hash('sha256', Buffer.concat([previous, Buffer.from(encode(fields))]), 'buffer')
}

/**
 * Reads the whole chain. `kept` is the end of the chain at an earlier time: only with it can entries be missed that were
 * deleted at the end, and a chain be recognized that was written anew.
 */
export async function verifyAuditChain(client: ClientBase, kept?: ChainEnd): Promise<ChainReport> {
  let last: Buffer = Buffer.alloc(0)
  let position = 0
  const end = () => ({ position, hash: last.toString('hex') })
  await client.query('begin isolation level repeatable read read only')
  try {
    for (;;) {
      const { rows } = await client.query<StoredEntry>(readPage, [position])
      for (const entry of rows) {
        const expected = position + 1
        if (Number(entry.position) !== expected) return { end: end(), problem: { position: expected, kind: 'missing' } }
        const hashed = hashOf(last, entry.fields)
        if (!hashed.equals(entry.hash)) return { end: end(), problem: { position: expected, kind: 'changed' } }
        last = hashed
        position = expected
        if (kept?.position === position && kept.hash !== last.toString('hex'))
          return { end: end(), problem: { position, kind: 'other-hash' } }
      }
      if (rows.length < entriesPerPage) break
    }
    const { rows: unchained } = await client.query('select from admin_actions where "position" is null limit 1')
    if (unchained.length > 0) return { end: end(), problem: { position: position + 1, kind: 'unchained' } }
    if (kept && kept.position > position) return { end: end(), problem: { position: position + 1, kind: 'missing' } }
    return { end: end() }
  } finally {
    await client.query('rollback')
  }
}
