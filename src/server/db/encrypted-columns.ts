// Every column that contains encrypted values, in one place: `npm run rotate-key` encrypts them again with a new key.
import { digitsOf } from '#contract/cpf.ts'
import { addressKeyOwner } from '#server/db/address-key.ts'
import { ownerOfReserved } from '#server/db/reserved-data.ts'

export interface EncryptedColumn {
  table: string
  /** The primary key. Pages are in its order. */
  id: { name: string; type: 'uuid' | 'bigint' | 'integer' }
  column: string
  /** The owner that the value of a row is encrypted for. */
  ownerOf(id: string): string
  /** SQL: only these rows are encrypted. */
  where?: string
  /** The column with the blind index of the value. */
  index?: { column: string; textOf(value: string): string }
}

export const totpOwner = (accountId: number | string) => `totp:${accountId}`

const totpSecret = {
  table: 'admin_totp',
  id: { name: 'adminUserId', type: 'bigint' },
  ownerOf: totpOwner,
} as const
const leaders = { table: 'lideres', id: { name: 'id', type: 'uuid' } } as const

export const encryptedColumns: EncryptedColumn[] = [
  {
    ...leaders,
    column: 'encryptedCpf',
    ownerOf: (id) => id,
    index: { column: 'cpfDigest', textOf: digitsOf },
  },
  { ...leaders, column: 'encryptedReserved', ownerOf: ownerOfReserved },
  {
    table: 'address_keys',
    id: { name: 'id', type: 'integer' },
    column: 'key',
    ownerOf: () => addressKeyOwner,
    where: '"isEncrypted"',
  },
  { ...totpSecret, column: 'secret' },
  { ...totpSecret, column: 'pendingSecret' },
]
