// Campaign material to share and download.
import * as z from 'zod/mini'
import { campaignStatuses, shareTextsSchema } from '#contract/campaigns.ts'
import { endpoint } from '#contract/endpoint.ts'

export const contentMessages = {
  empty: 'Novos conteúdos em breve! Fique ligado nas nossas atualizações.',
  emptyCategory: (category: string) => `Nenhum conteúdo encontrado na categoria "${category}".`,
} as const

export const contentSchema = z.object({
  id: z.number(),
  titulo: z.string(),
  descricao: z.string(),
  imagemUrl: z.string(),
  categoria: z.string(),
  ordem: z.number(),
  isActive: z.boolean(),
  /** The petition of the content, while it can be signed: its path, and what its share texts are made of. */
  peticao: z.optional(
    z.object({
      path: z.string(),
      titulo: z.string(),
      ogTitle: z.nullable(z.string()),
      status: z.enum(campaignStatuses),
      shareTexts: shareTextsSchema,
    }),
  ),
})

/** File name of a downloaded image. */
export const imageFileName = (titulo: string) => `${titulo.replace(/[^a-zA-Z0-9]/g, '_')}.png`

/** Accepts every result of `imageFileName`. Rejects names that could end a header or name a folder. */
export const isImageFileName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-zA-Z0-9_]{1,200}\.png$/.test(name)

/** Query parameter of an image URL: the image is sent as a download with this file name. */
export const downloadParameter = 'baixar'

export type Content = z.output<typeof contentSchema>

export const listContents = endpoint({
  method: 'GET',
  path: '/api/carousel-contents',
  access: 'anyone',
  reply: z.array(contentSchema),
})
