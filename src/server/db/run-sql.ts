import type { ClientBase } from 'pg'

/** Anything that runs SQL: the pool of a server, or the connection of a restore. */
export type RunSql = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>

export const runSql =
  (client: ClientBase): RunSql =>
  async (text, values) =>
    (await client.query(text, values)).rows
