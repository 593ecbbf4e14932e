import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

export const imageLimits = {
  types: ['image/jpeg', 'image/png', 'image/webp'],
  bytes: 5 * 1024 * 1024,
  /** Limit for a file that the browser shrinks before the upload. */
  photoBytes: 20 * 1024 * 1024,
  pixels: 25_000_000,
  side: 8_000,
} as const

/**
 * Stores an image for a campaign or a manifesto. Sent as multipart/form-data with the file in `imagem`.
 * Unused images are deleted after a day.
 */
export const uploadImage = endpoint({
  method: 'POST',
  path: '/api/admin/imagens',
  access: 'administrator',
  role: 'conteudo',
  auditAction: 'Enviou imagem',
  reply: z.object({ success: z.boolean(), imagemUrl: z.string(), largura: z.number(), altura: z.number() }),
})
