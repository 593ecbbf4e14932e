// System status, and the routes with which administrators resend dead deliveries.
import { adminMessages } from '#contract/admin/messages.ts'
import {
  listDeadDeliveries,
  listLocalEmails,
  maxDeadShown,
  readLocalEmail,
  readStatus,
  resendDelivery,
  resendEverything,
} from '#contract/admin/system.ts'
import { AppError } from '#server/core/errors.ts'
import type { Deps } from '#server/deps.ts'
import { createSystem } from '#server/features/system/system.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

const { system: texts } = adminMessages

export function registerSystem(app: App, deps: Deps): void {
  const { deliveries } = deps
  const system = createSystem(deps)
  app.addHook('onClose', async () => system.stop())

  mountForAdministrators(app, readStatus, async () => ({ success: true, ...(await system.status()) }))

  mountForAdministrators(app, listDeadDeliveries, async () => ({
    success: true,
    deliveries: (await deliveries.parked(maxDeadShown)).map((delivery) => ({
      ...{ ...delivery, createdAt: delivery.createdAt.toISOString() },
    })),
  }))

  mountForAdministrators(app, resendDelivery, async (_, { params, audit }) => {
    if (!(await deliveries.resend(params.id, audit))) throw new AppError('not-found', texts.notDead)
    return { success: true, message: texts.resent }
  })

  mountForAdministrators(app, resendEverything, async (_, { audit }) => {
    const resent = await deliveries.resendAll(audit)
    return { success: true, message: texts.allResent(resent) }
  })

  mountForAdministrators(app, listLocalEmails, async () => ({
    success: true,
    emails: (await deliveries.localEmails()).map((email) => ({ ...email, sentAt: email.sentAt.toISOString() })),
  }))

  mountForAdministrators(app, readLocalEmail, async (_, { params, about }) => {
    const email = await deliveries.localEmail(params.id)
    if (!email) throw new AppError('not-found', texts.noEmail)
    about(email.id)
    return { success: true, email: { ...email, sentAt: email.sentAt.toISOString() } }
  })
}
