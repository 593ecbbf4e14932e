// The reserved data of leaders: their CPF, birth date, address and CEP, encrypted before they are stored.

import { sql } from 'drizzle-orm'
import { checkDigitsAreRight, digitsOf } from '#contract/cpf.ts'
import type { Encryption } from '#server/core/encryption.ts'
import type { Database } from '#server/db/database.ts'

interface ReservedData {
  cpf: string
  nascimento: string
  endereco: string
  cep: string
}
type ReservedDetails = Omit<ReservedData, 'cpf'>

/** A field is null if it cannot be decrypted with the current keys. */
export type ReadableReservedData = { [Field in keyof ReservedData]: string | null }

/** How a record is stored. Records of earlier versions have the plain columns until `encryptStoredLeaders` converts them. */
export interface StoredReservedData {
  id: string
  encryptedCpf?: Buffer
  encryptedReserved?: Buffer | null
  nascimento?: string | null
  endereco?: string | null
  cep?: string | null
}

/** Another owner than that of the CPF: the two values of a record cannot be exchanged. */
export const ownerOfReserved = (id: string) => `${id} reserved`

const encryptDetails = (encryption: Encryption, id: string, { nascimento, endereco, cep }: ReservedDetails) =>
  encryption.encrypt(JSON.stringify({ nascimento, endereco, cep }), ownerOfReserved(id))

/** The columns of the record `id`. */
export function encryptReserved(encryption: Encryption, id: string, { cpf, ...details }: ReservedData) {
  return {
    encryptedCpf: encryption.encrypt(cpf, id),
    cpfDigest: encryption.indexOf(digitsOf(cpf)),
    cpfConfere: checkDigitsAreRight(cpf),
    encryptedReserved: encryptDetails(encryption, id, details),
  }
}

export function decryptCpf(encryption: Encryption | undefined, { id, encryptedCpf }: StoredReservedData) {
  return decryptOrNull(encryption, encryptedCpf, id)
}

export function decryptReserved(encryption: Encryption | undefined, row: StoredReservedData): ReadableReservedData {
  const { id, encryptedReserved, nascimento = null, endereco = null, cep = null } = row
  const cpf = decryptCpf(encryption, row)
  if (!encryptedReserved) return { cpf, nascimento, endereco, cep }
  const details = decryptOrNull(encryption, encryptedReserved, ownerOfReserved(id))
  return { cpf, ...(details ? (JSON.parse(details) as ReservedDetails) : { nascimento, endereco, cep }) }
}

function decryptOrNull(encryption: Encryption | undefined, encrypted: Buffer | null | undefined, owner: string) {
  if (!encryption || !encrypted) return null
  try {
    return encryption.decrypt(encrypted, owner)
  } catch {
    // Encrypted with another key. Other values may still be readable.
    return null
  }
}

/** Records per transaction. */
const pageSize = 200

/**
 * Encrypts one page of records that an earlier version has stored, and empties their plain columns. Returns the number
 * of records. Several nodes may do this at the same time.
 */
export async function encryptStoredLeaders(database: Database, encryption: Encryption): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string } & ReservedDetails>(sql`
      select id, to_char(nascimento, 'YYYY-MM-DD') as nascimento, endereco, cep from lideres
      where "encryptedReserved" is null order by id limit ${pageSize} for no key update skip locked`)
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    const encrypted = rows.map((row) => encryptDetails(encryption, row.id, row))
    await tx.execute(sql`
      update lideres set "encryptedReserved" = page.encrypted, nascimento = null, endereco = null, cep = null
      from unnest(${sql.param(ids)}::uuid[], ${sql.param(encrypted)}::bytea[]) as page(id, encrypted)
      where lideres.id = page.id`)
    return rows.length
  })
}
