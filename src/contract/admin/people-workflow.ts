// What organisers know about a record: status, owner, tags and notes.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { line } from '#contract/fields.ts'
import { text } from '#contract/longer-form-fields.ts'

const { workflow: texts } = adminMessages

/** How far the team got with a record: value in API and URLs, and label. */
export const workflowStatuses = {
  novo: 'Novo',
  'em-contato': 'Em contato',
  ativo: 'Ativo',
  arquivado: 'Arquivado',
} as const
export type WorkflowStatus = keyof typeof workflowStatuses

export const workflowStatus = () => z.enum(Object.keys(workflowStatuses) as WorkflowStatus[], texts.status)

export const maxTags = 20
export const maxTagLength = 40
export const maxNoteLength = 2_000

/** The value of the filter for records without an owner. No user name contains this sign. */
export const withoutOwner = '(ninguem)'

/** Tags are compared in lower case, without the sign that other programs put before them. */
export const normalizeTag = (tag: string) => tag.replace(/^[\s#]+/, '').toLowerCase()

/** One tag. Commas separate tags in files. */
export const tagField = () =>
  line(
    { min: 1, max: maxTagLength, short: texts.tagEmpty, long: texts.tagLong },
    {
      transform: (tag) => normalizeTag(tag.normalize('NFC')),
      validate: (tag) => (/[,;]/.test(tag) ? texts.tagComma : undefined),
    },
  )

export const tagsField = () =>
  z.pipe(
    z.array(tagField(), texts.tags),
    z.pipe(
      z.transform((tags: string[]) => [...new Set(tags)]),
      z.array(z.string()).check(z.maxLength(maxTags, texts.tooManyTags)),
    ),
  )

export const ownerField = () => line({ min: 1, max: 50, short: texts.owner, long: texts.owner })

export const noteField = () => text({ min: 1, max: maxNoteLength, short: texts.noteEmpty, long: texts.noteLong })

/** In lists and on the page of a record. */
export const workflowReply = {
  status: workflowStatus(),
  /** User name of the administrator who takes care of the person. */
  responsavel: z.nullable(z.string()),
  etiquetas: z.array(z.string()),
}
export interface Workflow {
  status: WorkflowStatus
  responsavel: string | null
  etiquetas: string[]
}
export const newWorkflow: Workflow = { status: 'novo', responsavel: null, etiquetas: [] }
