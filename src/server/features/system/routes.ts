// How the system is doing, and what an administrator can do about deliveries that got stuck.
import { adminMessages } from '#contract/admin/messages.ts'
import {
  listLocalEmails,
  listParked,
  parkedShown,
  readLocalEmail,
  readStatus,
  resendDelivery,
  resendEverything,
} from '#contract/admin/system.ts'
import { AppError } from '#server/core/errors.ts'
import type { System } from '#server/features/system/system.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'
import type { Deliveries } from '#server/outbox/deliveries.ts'

const { system: sentences } = adminMessages

export function systemRoutes(app: App, { system, deliveries }: { system: System; deliveries: Deliveries }): void {
  app.addHook('onClose', async () => system.stop())

  mountForAdministrators(app, readStatus, async () => ({ success: true, ...(await system.status()) }))

  mountForAdministrators(app, listParked, async () => ({
    success: true,
    deliveries: (await deliveries.parked(parkedShown)).map((delivery) => ({
      ...{ ...delivery, createdAt: delivery.createdAt.toISOString() },
    })),
  }))

  mountForAdministrators(app, resendDelivery, async (_, { params, audit }) => {
    if (!(await deliveries.resend(params.id, audit))) throw new AppError('not-found', sentences.notParked)
    return { success: true, message: sentences.resent }
  })

  mountForAdministrators(app, resendEverything, async (_, { audit }) => {
    const resent = await deliveries.resendAll(audit)
    return { success: true, message: sentences.allResent(resent) }
  })

  mountForAdministrators(app, listLocalEmails, async () => ({
    success: true,
    emails: (await deliveries.localEmails()).map((email) => ({ ...email, sentAt: email.sentAt.toISOString() })),
  }))

  mountForAdministrators(app, readLocalEmail, async (_, { params, about }) => {
    const email = await deliveries.localEmail(params.id)
    if (!email) throw new AppError('not-found', sentences.noEmail)
    about(email.id)
    return { success: true, email: { ...email, sentAt: email.sentAt.toISOString() } }
  })
}
