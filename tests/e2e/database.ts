// Direct access to the database of the tested site, for data that the API cannot create: past dates and failures. Statements
// may use `hmacSql`.
import pg from 'pg'
import { readAddressKeys } from '#server/core/address-key.ts'
import { bindAddressKey } from '#server/db/bind-address-key.ts'
import { runningConnection } from '#server/db/embedded.ts'

export async function rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(runningConnection(String(process.env.SITE_DATA)))
  await client.connect()
  const key = readAddressKeys({ dataDir: String(process.env.SITE_DATA) }).at(-1)
  if (key) bindAddressKey(client, key)
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
