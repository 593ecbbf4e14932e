// The database of the site under test, for what no call can bring about: the past, and what goes wrong.
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
