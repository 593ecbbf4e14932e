// Entering and leaving the admin area.
import { adminMessages } from '#contract/admin/messages.ts'
import { diagnose, logIn, logOut, readSession, setUp } from '#contract/admin/session.ts'
import { AppError } from '#server/core/errors.ts'
import type { Orm } from '#server/db/database.ts'
import type { Devices } from '#server/features/admin/devices.ts'
import type { FirstAccount } from '#server/features/admin/first-administrator.ts'
import type { LoginPace } from '#server/features/admin/login-pace.ts'
import type { Sessions } from '#server/features/admin/sessions.ts'
import type { Administrator } from '#server/http/guard.ts'
import { type App, mount, mountForAdministrators } from '#server/http/mount.ts'

export interface AdminServices {
  sessions: Sessions
  devices: Devices
  pace: LoginPace
  firstAccount: FirstAccount
}

const { session: sentences } = adminMessages

export function adminRoutes(app: App, { sessions, devices, pace, firstAccount }: AdminServices): void {
  const recordEntry = (tx: Orm, administrator: Administrator) =>
    app.recordDeed({ administrator, deed: 'Entrou', subject: '' }, tx)

  mount(app, logIn, async ({ username, password, device: given }, { address }) => {
    const device = given !== undefined && (await devices.isKnown(given, username)) ? given : undefined
    const opened = await pace.attempt({ username, address, device }, () =>
      sessions.open(username, password, recordEntry),
    )
    if (opened === undefined) throw new AppError('unauthenticated', sentences.refused)
    const { token, administrator } = opened
    return { success: true, message: sentences.welcome, token, device: await devices.remember(given, administrator) }
  })

  mountForAdministrators(app, logOut, async (_, { token, audit }) => {
    await sessions.close(token, audit)
    return { success: true, message: sentences.goodbye }
  })

  mountForAdministrators(app, readSession, async (_, { administrator }) => ({
    success: true,
    username: administrator.username,
  }))

  mount(app, diagnose, async () => {
    const exists = await firstAccount.exists()
    return { success: true, message: exists ? sentences.exists : sentences.missing, adminExists: exists }
  })

  mount(app, setUp, async () => ({
    success: true,
    message: (await firstAccount.create()) ? sentences.created : sentences.alreadyThere,
  }))
}
