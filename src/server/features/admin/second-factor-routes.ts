// Routes of the own second factor, and of its removal by a colleague.

import { adminMessages } from '#contract/admin/messages.ts'
import {
  addPasskey,
  beginConfirmation,
  beginPasskeySetup,
  passkeyMessages,
  removePasskey,
} from '#contract/admin/passkeys.ts'
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
    const isOff = await factors.turnOffApp(call.administrator, call.audit)
    notices.notify(call.administrator.id, { kind: isOff ? 'turned-off' : 'app-removed' })
    return { success: true, message: isOff ? texts.turnedOff : texts.appRemoved }
  })

  mountForAdministrators(app, beginPasskeySetup, async (_, { administrator, audit }) => {
    const { movimento } = await site.current()
    return { success: true, options: await factors.beginPasskey(administrator, movimento, audit) }
  })

  mountForAdministrators(app, addPasskey, async (body, { administrator, audit }) => {
    const recoveryCodes = await factors.addPasskey(administrator, body, audit)
    if (!recoveryCodes) throw new AppError('invalid', passkeyMessages.notAdded)
    notices.notify(administrator.id, { kind: 'passkey-added', name: body.nome })
    return { success: true, message: passkeyMessages.added, recoveryCodes }
  })

  mountForAdministrators(app, removePasskey, async ({ ownPassword }, call) => {
    await requireOwnPassword(ownPassword, call)
    const { name, isOff } = await factors.removePasskey(call.administrator, call.params.id, call.audit)
    notices.notify(call.administrator.id, { kind: 'passkey-removed', name, isOff })
    return { success: true, message: passkeyMessages.removed }
  })

  mountForAdministrators(app, beginConfirmation, async (_, { administrator, audit }) => ({
    success: true,
    options: await factors.beginConfirmation(administrator, audit),
  }))

  mountForAdministrators(app, removeSecondFactor, async (_, { params, administrator, audit }) => {
    // Refused: a person who finds an unlocked browser could weaken the account.
    if (params.id === administrator.id) throw new AppError('conflict', texts.removeOwn)
    const { username } = await factors.remove(params.id, audit)
    notices.notify(params.id, { kind: 'removed', by: administrator.username })
    return { success: true, message: texts.removed(username) }
  })
}
