// Edits of the workflow of people: one record, its notes, or many records at once.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { kindParams, peopleFilters, recordId, recordParams } from '#contract/admin/people.ts'
import { noteField, ownerField, tagsField, workflowReply, workflowStatus } from '#contract/admin/people-workflow.ts'
import { type BodyOf, endpoint } from '#contract/endpoint.ts'

const { workflow: texts } = adminMessages

/** Tags to add and to remove, so that two organisers do not overwrite each other's tags. */
const tagChanges = { incluir: z.optional(tagsField()), tirar: z.optional(tagsField()) }

/** Absent fields stay as they are. An owner of null removes the owner. */
export const updateWorkflow = endpoint({
  method: 'PATCH',
  path: '/api/admin/pessoas/:tipo/:id/acompanhamento',
  access: 'administrator',
  auditAction: 'Alterou o acompanhamento de uma pessoa',
  params: recordParams,
  body: z.object({
    status: z.optional(workflowStatus()),
    responsavel: z.optional(z.nullable(ownerField())),
    ...tagChanges,
  }),
  reply: z.object({ success: z.boolean(), message: z.string(), ...workflowReply }),
})

export const addNote = endpoint({
  method: 'POST',
  path: '/api/admin/pessoas/:tipo/:id/notas',
  access: 'administrator',
  auditAction: 'Escreveu uma nota sobre uma pessoa',
  params: recordParams,
  body: z.object({ texto: noteField() }),
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

export const removeNote = endpoint({
  method: 'DELETE',
  path: '/api/admin/pessoas/:tipo/:id/notas/:nota',
  access: 'administrator',
  auditAction: 'Apagou uma nota sobre uma pessoa',
  params: z.object({
    ...recordParams.shape,
    nota: z.string().check(z.regex(/^[1-9]\d{0,14}$/, texts.noteGone)),
  }),
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

/** Owners and tags that the forms suggest. */
export const listWorkflowOptions = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/opcoes',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    /** User names of active administrators. */
    equipe: z.array(z.string()),
    /** The most frequent first. */
    etiquetas: z.array(z.string()),
  }),
})

/** Records that one edit can name. Larger selections use the filters. */
export const maxNamedRecords = 500

/** Edits the named records, or all that the filters find. Replies with a stream of progress, see export-stream.ts. */
export const editPeople = endpoint({
  method: 'POST',
  path: '/api/admin/pessoas/:tipo/acompanhamento',
  access: 'administrator',
  auditAction: 'Começou a editar pessoas em conjunto',
  status: 200,
  params: kindParams,
  body: z.object({
    ids: z.optional(
      z
        .array(recordId(adminMessages.people.notFound))
        .check(z.minLength(1, texts.noSelection), z.maxLength(maxNamedRecords, texts.noSelection)),
    ),
    filtros: z.optional(peopleFilters),
    status: z.optional(workflowStatus()),
    responsavel: z.optional(z.nullable(ownerField())),
    ...tagChanges,
  }),
  reply: z.unknown(),
})
export type PeopleEdit = BodyOf<typeof editPeople>
export type WorkflowChanges = BodyOf<typeof updateWorkflow>
