// Lists of people for administrators.
import { exportContentType } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  countPeople,
  erasePerson,
  exportPeople,
  listPeople,
  listSignedCampaigns,
  type OwnConversation,
  type PersonDetails,
  readPerson,
  revealLeader,
} from '#contract/admin/people.ts'
import type { Erasure } from '#server/features/people/erasure.ts'
import type { Exports } from '#server/features/people/exports.ts'
import type { People } from '#server/features/people/people.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'
import { mountStream } from '#server/http/mount-stream.ts'

export interface PeopleServices {
  people: People
  erasure: Erasure
  exports: Exports
  /** What somebody said to the chatbot is kept by another part of the site. */
  conversationsOf(person: Pick<PersonDetails, 'email' | 'whatsapp'>): Promise<OwnConversation[]>
}

export function peopleRoutes(app: App, { people, erasure, exports, conversationsOf }: PeopleServices): void {
  mountForAdministrators(app, listSignedCampaigns, async () => ({ success: true, campanhas: await people.campaigns() }))

  mountForAdministrators(app, listPeople, async (_, { params: { tipo }, query: { antes, depois, ...filters } }) => {
    const side = depois ? 'after' : 'before'
    const { pessoas, hasMore } = await people.page(tipo, filters, { beside: depois ?? antes, side })
    const before = side === 'before'
    return {
      success: true,
      pessoas,
      temAntes: before ? hasMore : true,
      temDepois: before ? Boolean(antes) : hasMore,
    }
  })

  mountForAdministrators(app, countPeople, async (_, { params, query }) => ({
    success: true,
    ...(await people.count(params.tipo, query)),
  }))

  mountForAdministrators(app, readPerson, async (_, { params: { tipo, id } }) => {
    const details = await people.details(tipo, id)
    return { success: true, ...details, conversas: await conversationsOf(details.pessoa) }
  })

  mountForAdministrators(app, revealLeader, async (_, { params: { id }, about }) => {
    about(`lideres ${id}`)
    return { success: true, ...(await people.reveal(id)) }
  })

  mountForAdministrators(app, erasePerson, async (_, { params: { tipo, id }, audit }) => {
    await erasure.erase(tipo, id, audit)
    return { success: true, message: adminMessages.people.erased }
  })

  mountStream(
    app,
    { endpoint: exportPeople, contentType: exportContentType },
    async ({ params: { tipo }, query, about, administrator }) => {
      const { formato, reservados, ...filters } = query
      return exports.open({ tipo, formato, filters, withReserved: Boolean(reservados) }, { administrator, about })
    },
  )
}
