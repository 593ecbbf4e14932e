// Edits of the workflow of people: one record, its notes, or many records at once.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { recordParams } from '#contract/admin/people.ts'
import { noteField, ownerField, tagsField, workflowReply, workflowStatus } from '#contract/admin/people-workflow.ts'
import { endpoint } from '#contract/endpoint.ts'

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
    etiquetas: z.optional(tagsField()),
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
    nota: z.string().check(z.regex(/^[1-9]\d{0,14}$/, adminMessages.workflow.noteGone)),
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
