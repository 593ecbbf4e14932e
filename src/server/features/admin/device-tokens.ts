// Tokens of known devices (devices.ts). Only their hashes are stored.
import { and, eq, ne } from 'drizzle-orm'
import { digestOf } from '#server/core/tokens.ts'
import type { Orm } from '#server/db/database.ts'
import { adminDevices } from '#server/db/schema.ts'

export const hashOfDevice = (token: string) => digestOf(token).toString('base64url')

/**
 * For a new password: a person who knew the old one may have logged in. `kept` is the device of the browser that
 * changes it. It stays known if it was.
 */
export async function forgetDevices(tx: Orm, adminUserId: number, kept?: string): Promise<void> {
  const isOther = kept === undefined ? undefined : ne(adminDevices.tokenHash, hashOfDevice(kept))
  await tx.delete(adminDevices).where(and(eq(adminDevices.adminUserId, adminUserId), isOther))
}
