// The material that administrators keep for the site.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { contentSchema } from '#contract/carousel.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'
import { text } from '#contract/longer-form-fields.ts'

const { contents: sentences } = adminMessages

const managedContentSchema = z.extend(contentSchema, { createdAt: z.string(), updatedAt: z.string() })
export type ManagedContent = z.output<typeof managedContentSchema>

const wholeNumber = z
  .int(sentences.ordem)
  .check(z.minimum(0, sentences.ordem), z.maximum(2_147_483_647, sentences.ordem))

/** A form sends digits, or nothing at all. */
const ordem = z.pipe(
  z.pipe(
    z.nullish(z.union([z.number(), z.string()], sentences.ordem)),
    z.transform((value) => (typeof value === 'string' ? (value.trim() ? Number(value) : 0) : (value ?? 0))),
  ),
  wholeNumber,
)

const { required } = sentences
const fields = {
  titulo: line({ min: 1, max: 200, short: required, long: sentences.tituloLongo }),
  categoria: line({ min: 1, max: 50, short: required, long: sentences.categoriaLonga }),
  descricao: text({ min: 1, max: 2_000, short: required, long: sentences.descricaoLonga }),
  ordem,
}
const contentFields = z.object(fields)
export type ContentFields = z.output<typeof contentFields>

export const contentLabels = {
  titulo: 'Título',
  categoria: 'Categoria',
  descricao: 'Descrição',
  imagemUrl: 'Imagem',
  ordem: 'Ordem',
} as const

const id = z.string().check(z.regex(/^[1-9]\d{0,14}$/, sentences.gone))
const params = z.object({ id: z.pipe(id, z.transform(Number)) })
const saved = z.object({ success: z.boolean(), message: z.string(), content: managedContentSchema })

const path = '/api/admin/carousel-contents'
const access = 'administrator'

export const listManagedContents = endpoint({
  method: 'GET',
  path,
  access,
  reply: z.object({ success: z.boolean(), contents: z.array(managedContentSchema) }),
})

/** Comes as multipart/form-data with the file in `imagem`; so does an edit, if it brings a new image. */
export const publishContent = endpoint({
  method: 'POST',
  path,
  access,
  deed: 'Publicou conteúdo',
  body: contentFields,
  reply: saved,
})

export const editContent = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access,
  deed: 'Editou conteúdo',
  params,
  /** `updatedAt` as it was when the editing began: who edits an older version is told. */
  body: z.object({ ...fields, updatedAt: z.string(sentences.version).check(z.minLength(1, sentences.version)) }),
  reply: saved,
})

export const showContent = endpoint({
  method: 'PATCH',
  path: `${path}/:id`,
  access,
  deed: 'Mudou a exibição de conteúdo',
  params,
  body: z.object({ isActive: z.boolean(sentences.stateFailed) }),
  reply: saved,
})

const ids = z
  .array(z.int(sentences.reorderFailed), sentences.reorderFailed)
  .check(z.maxLength(5_000, sentences.reorderFailed))

export const reorderContents = endpoint({
  method: 'PUT',
  path: `${path}/ordem`,
  access,
  deed: 'Ordenou os conteúdos',
  /** All of them, as they shall stand and as they stood on the screen. */
  body: z.object({ ids, antes: ids }),
  reply: z.object({ success: z.boolean(), message: z.string(), contents: z.array(managedContentSchema) }),
})

export const removeContent = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  access,
  deed: 'Removeu conteúdo',
  params,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
