// Sends forms to a test site, reads complete responses, and makes database insertions fail.
import fc from 'fast-check'
import { seed } from '#tests/helpers/random.ts'
import type { TestSite } from '#tests/helpers/test-site.ts'

export const asJson = { 'content-type': 'application/json' }

export function postJson(url: string, fields: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...asJson, ...headers }, body: JSON.stringify(fields) })
}

/** Sends a form as a browser without JavaScript does: a list repeats its field. */
export function postForm(url: string, fields: object, options: RequestInit = {}): Promise<Response> {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one: unknown) => [name, String(one)]),
  )
  return fetch(url, { ...options, method: 'POST', body: new URLSearchParams(pairs) })
}

/** Everything that a client sees of a response, except the date and the request id. */
export async function completeResponse(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return JSON.stringify([answer.status, headers, await answer.text()])
}

export interface Fault {
  table: string
  /** SQLSTATE of the failure. */
  code: string
  times: number
}

/** Makes the next `times` insertions into the table fail. Resolves with a function that undoes it. */
export async function failInserts(site: TestSite, { table, code, times }: Fault): Promise<() => Promise<void>> {
  // A sequence counts the failures, because a rollback does not reset it.
  await site.rows('create sequence falhas')
  await site.rows(`create function falhar() returns trigger language plpgsql as $$ begin
    if nextval('falhas') <= ${times} then raise exception 'falha de teste' using errcode = '${code}'; end if;
    return new; end $$`)
  await site.rows(`create trigger falhar before insert on ${table} for each row execute function falhar()`)
  return async () => {
    await site.rows('drop function falhar cascade')
    await site.rows('drop sequence falhas')
  }
}

/** Sends arbitrary values in place of each field. Fails unless each response is a 201 or a 4xx. */
export async function sendArbitraryInput(site: TestSite, path: string, valid: () => object): Promise<void> {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '\u0000',
      '\ud83d',
      "'; drop table contacts; --",
      '{{x}}',
      'x'.repeat(10_000),
      '9'.repeat(40),
      '{}',
    ),
    fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
    fc.anything({ maxDepth: 3 }),
  )
  const fields = [...Object.keys(valid()), 'id', 'createdAt', 'x']
  const some = fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] })
  // With one wrong field in a valid form, a value that passes validation reaches the database.
  const one = fc.tuple(fc.constantFrom(...fields), anything).map(([field, value]) => ({ ...valid(), [field]: value }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(some, one, one, fc.anything()), async (value) => {
      const payload = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
      const { statusCode } = await site.app.inject({ method: 'POST', url: path, headers: asJson, payload })
      return statusCode === 201 || (statusCode >= 400 && statusCode < 500)
    }),
    { numRuns: 400, seed },
  )
}
