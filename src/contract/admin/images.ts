// Pictures that administrators send: what is accepted, and the call that keeps one for a campaign or a manifesto.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

export const imageLimits = {
  types: ['image/jpeg', 'image/png', 'image/webp'],
  bytes: 5 * 1024 * 1024,
  /** Of a file that the browser reduces before it is sent. */
  photoBytes: 20 * 1024 * 1024,
  pixels: 25_000_000,
  side: 8_000,
} as const

/** Comes as multipart/form-data with the file in `imagem`. What nothing uses after a day is removed. */
export const uploadImage = endpoint({
  method: 'POST',
  path: '/api/admin/imagens',
  access: 'administrator',
  deed: 'Enviou imagem',
  reply: z.object({ success: z.boolean(), imagemUrl: z.string(), largura: z.number(), altura: z.number() }),
})
