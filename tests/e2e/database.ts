// Direct access to the database of the tested site, for data that the API cannot create: past dates and failures.
import pg from 'pg'
import { runningConnection } from '#server/db/embedded.ts'

export async function rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(runningConnection(String(process.env.SITE_DATA)))
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
