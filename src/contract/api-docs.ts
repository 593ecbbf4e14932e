import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

/** The OpenAPI 3.1 document of this API. */
export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'anyone',
  cacheSeconds: 300,
  reply: z.record(z.string(), z.unknown()),
})

/** The same as a page. */
export const readApiDocs = endpoint({ method: 'GET', path: '/api/docs', access: 'anyone', reply: z.string() })
