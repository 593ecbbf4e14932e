// Names of municipalities, to suggest while somebody types; any other name is accepted too.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { stateCode } from '#contract/fields.ts'

export const listCities = endpoint({
  method: 'GET',
  path: '/api/municipios/:uf',
  access: 'anyone',
  params: z.object({ uf: stateCode() }),
  reply: z.array(z.string()),
})
