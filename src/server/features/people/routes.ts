// Routes for the lists of people, their exports and the erasure of a record.
import { exportContentType } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  countPeople,
  erasePerson,
  exportPeople,
  filtersOf,
  listPeople,
  listSignedCampaigns,
  type OwnConversation,
  type PeopleFilters,
  type PeopleKind,
  type PersonDetails,
  readPerson,
  revealLeader,
} from '#contract/admin/people.ts'
import { addNote, editPeople, listWorkflowOptions, removeNote, updateWorkflow } from '#contract/admin/people-edits.ts'
import { eraseEverything, previewErasure } from '#contract/admin/people-erasure.ts'
import { listSavedFilters, removeFilter, renameFilter, saveFilter } from '#contract/admin/saved-filters.ts'
import type { Orm } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { createBulkEdit } from '#server/features/people/bulk-edit.ts'
import { createErasure } from '#server/features/people/erasure.ts'
import { createExports } from '#server/features/people/exports.ts'
import { registerImports } from '#server/features/people/import-routes.ts'
import { createPeople } from '#server/features/people/people.ts'
import { createPersonErasure, type PersonErasure } from '#server/features/people/person-erasure.ts'
import { createSavedFilters } from '#server/features/people/saved-filters.ts'
import { createSearchIndex, reindexRecord } from '#server/features/people/search-index.ts'
import { createWorkflow } from '#server/features/people/workflow.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'
import { mountStream } from '#server/http/mount-stream.ts'

interface PeopleParts {
  petitions: { removeSignature(id: string, inTransaction: (tx: Orm) => Promise<void>): Promise<boolean> }
  /** Provided by the conversations feature. */
  conversationsOf(person: Pick<PersonDetails, 'email' | 'whatsapp'>): Promise<OwnConversation[]>
}

interface PeopleServices {
  personErasure: PersonErasure
  reindexRecord: typeof reindexRecord
}

export function registerPeople(app: App, deps: Deps, { petitions, conversationsOf }: PeopleParts): PeopleServices {
  const { database, config, log, throttle, removals, deliveries } = deps
  const index = createSearchIndex({ database, log, throttle })
  app.addHook('onReady', async () => index.start())
  app.addHook('onClose', () => index.stop())
  const workflow = createWorkflow({ database, log })
  const people = createPeople({ database, index, workflow, config })
  const exports = createExports({ people, workflow, recordAudit: app.recordAudit, log })
  const savedFilters = createSavedFilters(database)
  const { recordAudit } = app
  const bulkEdit = createBulkEdit({ database, people, throttle, recordAudit, log, onTagged: workflow.expireTags })
  const erasure = createErasure({
    database,
    removals,
    removeSignature: petitions.removeSignature,
    forgetEmails: deliveries.forgetLocalEmails,
    onQueued: deliveries.wake,
  })
  const personErasure = createPersonErasure(deps)

  registerImports(app, deps)

  mountForAdministrators(app, listSignedCampaigns, async () => ({ success: true, campanhas: await people.campaigns() }))

  mountForAdministrators(app, listPeople, async (_, { params: { tipo }, query, auditRead }) => {
    const { antes, depois, ...filters } = query
    await auditSearch(tipo, filters, auditRead)
    const side = depois ? 'after' : 'before'
    const { pessoas, hasMore } = await people.page(tipo, filters, { id: depois ?? antes, side })
    const isBefore = side === 'before'
    return {
      success: true,
      pessoas,
      temAntes: isBefore ? hasMore : true,
      temDepois: isBefore ? Boolean(antes) : hasMore,
    }
  })

  mountForAdministrators(app, countPeople, async (_, { params: { tipo }, query, auditRead }) => {
    await auditSearch(tipo, query, auditRead)
    return { success: true, ...(await people.count(tipo, query)) }
  })

  mountForAdministrators(app, readPerson, async (_, { params: { tipo, id }, auditRead }) => {
    const details = await people.details(tipo, id)
    await auditRead(`${tipo} ${id}`)
    return { success: true, ...details, conversas: await conversationsOf(details.pessoa) }
  })

  mountForAdministrators(app, listWorkflowOptions, async () => ({ success: true, ...(await workflow.options()) }))

  mountForAdministrators(app, updateWorkflow, async (changes, { params: { tipo, id }, audit }) => {
    const updated = await workflow.update(tipo, id, changes, audit)
    return { success: true, message: adminMessages.workflow.saved, ...updated }
  })

  mountForAdministrators(app, addNote, async ({ texto }, { params: { tipo, id }, administrator, audit }) => {
    await workflow.addNote(tipo, id, { author: administrator.username, text: texto }, audit)
    return { success: true, message: adminMessages.workflow.noteAdded }
  })

  mountForAdministrators(app, removeNote, async (_, { params: { tipo, id, nota }, audit }) => {
    await workflow.removeNote(tipo, id, nota, audit)
    return { success: true, message: adminMessages.workflow.noteRemoved }
  })

  mountStream(app, { endpoint: editPeople, contentType: exportContentType }, async ({ params, body, ...requester }) =>
    bulkEdit.open(params.tipo, body, requester),
  )

  mountForAdministrators(app, listSavedFilters, async (_, { params: { tipo } }) => ({
    success: true,
    filtros: await savedFilters.list(tipo),
  }))

  mountForAdministrators(app, saveFilter, async (filter, { params: { tipo }, administrator, audit }) => {
    await savedFilters.save(tipo, { ...filter, author: administrator.username }, audit)
    return { success: true, message: adminMessages.savedFilters.saved }
  })

  mountForAdministrators(app, renameFilter, async ({ nome }, { params: { tipo, filtro }, audit }) => {
    await savedFilters.rename(tipo, filtro, nome, audit)
    return { success: true, message: adminMessages.savedFilters.renamed }
  })

  mountForAdministrators(app, removeFilter, async (_, { params: { tipo, filtro }, audit }) => {
    await savedFilters.remove(tipo, filtro, audit)
    return { success: true, message: adminMessages.savedFilters.removed }
  })

  mountForAdministrators(app, revealLeader, async (_, { params: { id }, about }) => {
    about(`lideres ${id}`)
    return { success: true, ...(await people.reveal(id)) }
  })

  mountForAdministrators(app, erasePerson, async (_, { params: { tipo, id }, audit }) => {
    await erasure.erase(tipo, id, audit)
    return { success: true, message: adminMessages.people.erased }
  })

  mountForAdministrators(app, previewErasure, async (_, { params: { tipo, id } }) => ({
    success: true,
    ...(await personErasure.preview(await people.emailOf(tipo, id))),
  }))

  mountForAdministrators(app, eraseEverything, async (_, { params: { tipo, id }, audit }) => {
    const counts = await personErasure.erasePerson(await people.emailOf(tipo, id), { audit })
    return { success: true, message: adminMessages.people.everythingErased, ...counts }
  })

  mountStream(
    app,
    { endpoint: exportPeople, contentType: exportContentType },
    async ({ params: { tipo }, query, about, administrator }) => {
      const { formato, reservados, notas, ...filters } = query
      const choices = { withReserved: Boolean(reservados), withNotes: Boolean(notas) }
      return exports.open({ tipo, formato, filters, ...choices }, { administrator, about })
    },
  )
  return { personErasure, reindexRecord }
}

/** Records which filters were used, not their values: a searched text is a name or an address. */
async function auditSearch(
  tipo: PeopleKind,
  filters: PeopleFilters,
  auditRead: (subject: string) => Promise<void>,
): Promise<void> {
  const used = filtersOf[tipo].filter((name) => filters[name])
  if (used.length > 0) await auditRead(`${tipo}: ${used.join(', ')}`)
}
