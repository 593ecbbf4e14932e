// Routes of the own second factor, and of its removal by a colleague.

import { adminMessages } from '#contract/admin/messages.ts'
import {
  beginAppSetup,
  confirmAppSetup,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorMessages as texts,
  turnOffApp,
} from '#contract/admin/second-factor.ts'
import { AppError } from '#server/core/errors.ts'
import type { Deps } from '#server/deps.ts'
import type { LoginThrottle } from '#server/features/admin/login-throttle.ts'
import type { SecondFactors } from '#server/features/admin/second-factor.ts'
import type { SecondFactorNotices } from '#server/features/admin/second-factor-notices.ts'
import type { Sessions } from '#server/features/admin/sessions.ts'
import type { SessionHolder } from '#server/http/guard.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

interface SecondFactorServices extends Pick<Deps, 'site'> {
  factors: SecondFactors
  notices: SecondFactorNotices
  sessions: Sessions
  throttle: LoginThrottle
}

interface OwnCall {
  administrator: SessionHolder
  token: string
  address: string
}

export function registerSecondFactor(
  app: App,
  { factors, notices, sessions, throttle, site }: SecondFactorServices,
): void {
  /** Throttled like a login: a stolen token must not allow faster guessing. */
  async function requireOwnPassword(password: string, { administrator, token, address }: OwnCall): Promise<void> {
    const { username } = administrator
    const isRight = await throttle.attempt({ username, address, device: token }, () =>
      sessions.isOwnPassword(administrator, password),
    )
    if (isRight) return
    const message = adminMessages.team.currentWrong
    throw new AppError('invalid', message, { errors: { ownPassword: message } })
  }

  mountForAdministrators(app, readSecondFactor, async (_, { administrator }) => ({
    success: true,
    ...(await factors.read(administrator.id)),
  }))

  mountForAdministrators(app, beginAppSetup, async (_, { administrator, audit }) => {
    const { movimento } = await site.current()
    return { success: true, ...(await factors.begin(administrator, movimento, audit)) }
  })

  mountForAdministrators(app, confirmAppSetup, async ({ code }, { administrator, token, address, audit }) => {
    const { username } = administrator
    const recoveryCodes = await throttle.attempt({ username, address, device: token }, () =>
      factors.confirm(administrator, String(code), audit),
    )
    if (!recoveryCodes) throw new AppError('invalid', texts.codeWrong, { errors: { code: texts.codeWrong } })
    notices.notify(administrator.id, { kind: 'turned-on' })
    return { success: true, message: texts.turnedOn, recoveryCodes }
  })

  mountForAdministrators(app, renewRecoveryCodes, async ({ ownPassword }, call) => {
    await requireOwnPassword(ownPassword, call)
    const recoveryCodes = await factors.renewRecoveryCodes(call.administrator, call.audit)
    return { success: true, message: texts.codesRenewed, recoveryCodes }
  })

  mountForAdministrators(app, turnOffApp, async ({ ownPassword }, call) => {
    await requireOwnPassword(ownPassword, call)
    await factors.turnOff(call.administrator, call.audit)
    notices.notify(call.administrator.id, { kind: 'turned-off' })
    return { success: true, message: texts.turnedOff }
  })

  mountForAdministrators(app, removeSecondFactor, async (_, { params, administrator, audit }) => {
    // Refused: a person who finds an unlocked browser could weaken the account.
    if (params.id === administrator.id) throw new AppError('conflict', texts.removeOwn)
    const { username } = await factors.remove(params.id, audit)
    notices.notify(params.id, { kind: 'removed', by: administrator.username })
    return { success: true, message: texts.removed(username) }
  })
}
