// Every column of bytes is either rotated by `npm run rotate-key` or known not to be encrypted.
import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { encryptedColumns } from '#server/db/encrypted-columns.ts'
import * as schema from '#server/db/schema.ts'

/** Digests, files, images, public keys, canonical addresses, and addresses that are encrypted with the secret of a link. */
const notEncrypted = /digest$|^bytes$|^file$|^hash$|hmac$|^fingerprint$|^publicKey$|^queuedUpTo$|^sealedAddress$/i

test('every column of bytes is in the list of encrypted columns, or is none', () => {
  const inBytes = Object.values(schema).flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter((column) => column.getSQLType() === 'bytea')
      .map(({ name }) => `${getTableName(table)}.${name}`),
  )
  const encrypted = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(inBytes).toEqual(expect.arrayContaining(encrypted))
  expect(inBytes.filter((name) => !notEncrypted.test(name.split('.')[1] ?? '')).sort()).toEqual(encrypted.sort())
})
