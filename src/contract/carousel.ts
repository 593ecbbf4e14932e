// Campaign material to share and download.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

export const contentSchema = z.object({
  id: z.number(),
  titulo: z.string(),
  descricao: z.string(),
  imagemUrl: z.string(),
  categoria: z.string(),
  ordem: z.number(),
  isActive: z.boolean(),
})

export type Content = z.output<typeof contentSchema>

export const listContents = endpoint({
  method: 'GET',
  path: '/api/carousel-contents',
  access: 'anyone',
  reply: z.array(contentSchema),
})
