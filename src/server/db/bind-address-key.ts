// Lets SQL compute HMACs of addresses: `hmacSql` names the key, and the connection binds it as two more parameters of the
// statement. In the text of a statement, or in a setting of the session, the key would reach the logs of the database.
import type { ClientBase } from 'pg'
import { hmacPads } from '#server/core/address-key.ts'

const innerPad = '$addressKeyInner'
const outerPad = '$addressKeyOuter'

/**
 * The HMAC of a digest, with the key of the connection (see `bindAddressKey`), or with another one: `pads` are SQL
 * expressions of its `hmacPads`.
 */
export const hmacSql = (digest: string, pads = { inner: innerPad, outer: outerPad }) =>
  `sha256(${pads.outer}::bytea || sha256(${pads.inner}::bytea || ${digest}))`

interface QueryParts {
  text?: unknown
  values?: unknown[]
}
type Query = (query: string | QueryParts, values?: unknown[], callback?: unknown) => unknown

export function bindAddressKey(client: ClientBase, key: Buffer): void {
  const { inner, outer } = hmacPads(key)
  const send = client.query.bind(client) as Query
  const sendWithKey: Query = (query, values, callback) => {
    const parts = typeof query === 'string' ? { text: query } : query
    const { text } = parts
    if (typeof text !== 'string' || !text.includes(innerPad)) return send(query, values, callback)
    const given = values ?? parts.values ?? []
    const numbered = text.replaceAll(innerPad, `$${given.length + 1}`).replaceAll(outerPad, `$${given.length + 2}`)
    return send({ ...parts, text: numbered }, [...given, inner, outer], callback)
  }
  client.query = sendWithKey as ClientBase['query']
}
