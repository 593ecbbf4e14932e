// Filters of the lists of people that the team has saved under a name.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { kindParams, peopleFilters } from '#contract/admin/people.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'

const { savedFilters: texts } = adminMessages

export const maxSavedFilters = 50
export const maxFilterNameLength = 60

const savedFilter = z.object({
  id: z.number(),
  nome: z.string(),
  filtros: z.record(z.string(), z.string()),
  autor: z.string(),
})
export type SavedFilter = z.output<typeof savedFilter>

const name = () => line({ min: 1, max: maxFilterNameLength, short: texts.name, long: texts.name })
const filterParams = z.extend(kindParams, { filtro: z.string().check(z.regex(/^[1-9]\d{0,14}$/, texts.gone)) })
const reply = z.object({ success: z.boolean(), message: z.string() })

export const listSavedFilters = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/filtros',
  access: 'administrator',
  params: kindParams,
  reply: z.object({ success: z.boolean(), filtros: z.array(savedFilter) }),
})

export const saveFilter = endpoint({
  method: 'POST',
  path: '/api/admin/pessoas/:tipo/filtros',
  access: 'administrator',
  auditAction: 'Salvou um filtro de pessoas',
  params: kindParams,
  body: z.object({ nome: name(), filtros: peopleFilters }),
  reply,
})

export const renameFilter = endpoint({
  method: 'PUT',
  path: '/api/admin/pessoas/:tipo/filtros/:filtro',
  access: 'administrator',
  auditAction: 'Renomeou um filtro de pessoas',
  params: filterParams,
  body: z.object({ nome: name() }),
  reply,
})

export const removeFilter = endpoint({
  method: 'DELETE',
  path: '/api/admin/pessoas/:tipo/filtros/:filtro',
  access: 'administrator',
  auditAction: 'Apagou um filtro de pessoas',
  params: filterParams,
  reply,
})
