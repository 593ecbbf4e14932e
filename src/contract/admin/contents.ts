// Campaign material, as administrators manage it.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { contentSchema } from '#contract/contents.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'
import { text } from '#contract/longer-form-fields.ts'

const { contents: texts } = adminMessages

const managedContentSchema = z.extend(z.omit(contentSchema, { peticao: true }), {
  /** Id of the petition that the content belongs to. */
  campaignId: z.nullable(z.number()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type ManagedContent = z.output<typeof managedContentSchema>

const wholeNumber = z.int(texts.ordem).check(z.minimum(0, texts.ordem), z.maximum(2_147_483_647, texts.ordem))

/** A form sends digits, an empty string or nothing. */
const ordem = z.pipe(
  z.pipe(
    z.nullish(z.union([z.number(), z.string()], texts.ordem)),
    z.transform((value) => (typeof value === 'string' ? (value.trim() ? Number(value) : 0) : (value ?? 0))),
  ),
  wholeNumber,
)

/** A form sends digits, or an empty string for no petition. */
const campaignId = z.pipe(
  z.pipe(
    z.nullish(z.union([z.number(), z.string()], texts.petition)),
    z.transform((value) => (typeof value === 'string' ? (value.trim() ? Number(value) : null) : (value ?? null))),
  ),
  z.nullable(z.int(texts.petition).check(z.minimum(1, texts.petition))),
)

const { required } = texts
const fields = {
  titulo: line({ min: 1, max: 200, short: required, long: texts.tituloLongo }),
  categoria: line({ min: 1, max: 50, short: required, long: texts.categoriaLonga }),
  descricao: text({ min: 1, max: 2_000, short: required, long: texts.descricaoLonga }),
  ordem,
  campaignId,
}
const contentFields = z.object(fields)
export type ContentFields = z.output<typeof contentFields>

export const contentLabels = {
  titulo: 'Título',
  categoria: 'Categoria',
  descricao: 'Descrição',
  imagemUrl: 'Imagem',
  ordem: 'Ordem',
  campaignId: 'Petição',
} as const

const id = z.string().check(z.regex(/^[1-9]\d{0,14}$/, texts.gone))
const params = z.object({ id: z.pipe(id, z.transform(Number)) })
const savedReply = z.object({ success: z.boolean(), message: z.string(), content: managedContentSchema })

const path = '/api/admin/carousel-contents'
const access = 'administrator'

export const listManagedContents = endpoint({
  method: 'GET',
  path,
  access,
  role: 'conteudo',
  reply: z.object({ success: z.boolean(), contents: z.array(managedContentSchema) }),
})

/** Sent as multipart/form-data with the file in `imagem`; an edit with a new image too. */
export const publishContent = endpoint({
  method: 'POST',
  path,
  access,
  role: 'conteudo',
  auditAction: 'Publicou conteúdo',
  body: contentFields,
  reply: savedReply,
})

export const editContent = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access,
  role: 'conteudo',
  auditAction: 'Editou conteúdo',
  params,
  /** `updatedAt` from when editing began: an edit of an older version is rejected. */
  body: z.object({ ...fields, updatedAt: z.string(texts.version).check(z.minLength(1, texts.version)) }),
  reply: savedReply,
})

export const showContent = endpoint({
  method: 'PATCH',
  path: `${path}/:id`,
  access,
  role: 'conteudo',
  auditAction: 'Mudou a exibição de conteúdo',
  params,
  body: z.object({ isActive: z.boolean(texts.stateFailed) }),
  reply: savedReply,
})

const ids = z.array(z.int(texts.reorderFailed), texts.reorderFailed).check(z.maxLength(5_000, texts.reorderFailed))

export const reorderContents = endpoint({
  method: 'PUT',
  path: `${path}/ordem`,
  access,
  role: 'conteudo',
  auditAction: 'Ordenou os conteúdos',
  /** All ids: in the new order, and in the order that was on screen. */
  body: z.object({ ids, antes: ids }),
  reply: z.object({ success: z.boolean(), message: z.string(), contents: z.array(managedContentSchema) }),
})

export const removeContent = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  access,
  role: 'conteudo',
  auditAction: 'Removeu conteúdo',
  params,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
