import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { stateCodes } from '#contract/states.ts'

const daySeconds = 24 * 60 * 60

/** Municipalities of a state, suggested while a city is typed. */
export const listCities = endpoint({
  method: 'GET',
  path: '/api/municipios/:uf',
  access: 'anyone',
  cacheSeconds: daySeconds,
  params: z.object({
    uf: z.pipe(z.string().check(z.toUpperCase()), z.enum(stateCodes, messages.cities.unknownState)),
  }),
  reply: z.object({ success: z.boolean(), municipios: z.array(z.string()) }),
})
