// The municipalities of a state, to suggest while a city is typed.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { stateCodes } from '#contract/states.ts'

const aDay = 24 * 60 * 60

export const listCities = endpoint({
  method: 'GET',
  path: '/api/municipios/:uf',
  access: 'anyone',
  keptSeconds: aDay,
  params: z.object({
    uf: z.pipe(z.string().check(z.toUpperCase()), z.enum(stateCodes, messages.cities.unknownState)),
  }),
  reply: z.object({ success: z.boolean(), municipios: z.array(z.string()) }),
})
