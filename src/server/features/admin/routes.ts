// Routes for login, logout and the first account of the admin area.
import { adminMessages } from '#contract/admin/messages.ts'
import { finishLoginWithPasskey, passkeyMessages } from '#contract/admin/passkeys.ts'
import { finishLogin, secondFactorActions, secondFactorMessages } from '#contract/admin/second-factor.ts'
import { diagnose, logIn, logOut, readSession, setUp } from '#contract/admin/session.ts'
import { AppError } from '#server/core/errors.ts'
import { networkPrefix } from '#server/core/network-prefix.ts'
import type { Orm } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { createAccountMail } from '#server/features/admin/account-mail.ts'
import { createAuditLog } from '#server/features/admin/audit-log.ts'
import { createDevices } from '#server/features/admin/devices.ts'
import { createFirstAccount } from '#server/features/admin/first-administrator.ts'
import { createGuessLimit } from '#server/features/admin/guess-limit.ts'
import { createGuessNotice } from '#server/features/admin/guess-notice.ts'
import { createLoginThrottle } from '#server/features/admin/login-throttle.ts'
import { createPasskeys } from '#server/features/admin/passkeys.ts'
import { createReadAudit } from '#server/features/admin/read-audit.ts'
import { createRefusedAccess } from '#server/features/admin/refused-access.ts'
import { createRefusedPasswords } from '#server/features/admin/refused-passwords.ts'
import { createSecondFactors, type FactorProof } from '#server/features/admin/second-factor.ts'
import { createSecondFactorNotices } from '#server/features/admin/second-factor-notices.ts'
import { registerSecondFactor } from '#server/features/admin/second-factor-routes.ts'
import { createSessions } from '#server/features/admin/sessions.ts'
import { createTeam } from '#server/features/admin/team.ts'
import { registerTeam } from '#server/features/admin/team-routes.ts'
import { type Administrator, createAdminGuard, createSessionCheck } from '#server/http/guard.ts'
import { type App, mount, mountForAdministrators } from '#server/http/mount.ts'

const { session: texts } = adminMessages

interface AdminOptions {
  showFirstPassword(password: string): void
  /** The clock of one-time codes. */
  now(): Date
}

/** Also provides the guard and the audit log for the routes of all features. */
export function registerAdmin(app: App, deps: Deps, { showFirstPassword, now }: AdminOptions): void {
  const { config, log, database, mailer, site } = deps
  const auditLog = createAuditLog(database)
  const refused = createRefusedPasswords(auditLog.record, log)
  const { publicUrl } = config
  const refusedCodes = createRefusedPasswords(auditLog.record, log, adminMessages.auditLog.wrongCode)
  const mail = createAccountMail({ mailer, site, log, publicUrl })
  const guessNotice = createGuessNotice({ database, mail, publicUrl, log })
  const notices = createSecondFactorNotices({ database, mail, publicUrl, log })
  const factors = createSecondFactors({ database, config, passkeys: createPasskeys(config), log, now })
  const sessions = createSessions(database, {
    guesses: createGuessLimit(database),
    onRefused: refused.add,
    onLimitReached: guessNotice.notify,
    factors,
    onCodeRefused: refusedCodes.add,
    onCodeLimitReached: (id) => notices.notify(id, { kind: 'codes-refused' }),
    onRecoveryCodeUsed: (id) => notices.notify(id, { kind: 'recovery-code-used' }),
  })
  const devices = createDevices(database)
  const throttle = createLoginThrottle()
  const firstAccount = createFirstAccount(database, config.admin, showFirstPassword)
  const refusedAccess = createRefusedAccess(auditLog.record, log)
  app.addHook('onClose', async () => {
    mail.close()
    await refused.flush()
    await refusedCodes.flush()
    await refusedAccess.flush()
  })
  app.decorate('requireAdministrator', createAdminGuard(sessions.findAdministrator, refusedAccess.add))
  app.decorate('sessionIsOpen', createSessionCheck(sessions.findAdministrator))
  app.decorate('recordAudit', auditLog.record)
  app.decorate('recordRead', createReadAudit(auditLog.record))
  registerTeam(app, { team: createTeam(database), sessions, throttle, auditLog, refused: [refused, refusedCodes] })
  registerSecondFactor(app, { factors, notices, sessions, throttle, site })

  interface Login {
    administrator: Administrator
    address: string
    subject?: string
  }
  const recordLogin = (tx: Orm, { administrator, address, subject = '' }: Login) =>
    app.recordAudit(
      { administrator: { ...administrator, address: networkPrefix(address) }, action: 'Entrou', subject },
      tx,
    )

  mount(app, logIn, async ({ username, password, device: given }, { address }) => {
    const device = given !== undefined && (await devices.isKnown(given, username)) ? given : undefined
    const opened = await throttle.attempt({ username, address, device }, () =>
      sessions.open({ username, password, isKnownDevice: device !== undefined }, (tx, administrator) =>
        recordLogin(tx, { administrator, address }),
      ),
    )
    if (opened === undefined) throw new AppError('unauthenticated', texts.refused)
    if ('challenge' in opened) {
      const { challenge, id } = opened
      const steps = await factors.stepsOf(id, challenge)
      const message = steps.passkey ? passkeyMessages.due : secondFactorMessages.codeDue
      return { success: true, message, challenge, ...steps }
    }
    const { token, administrator, mustChangePassword, mustAddFactor } = opened
    return {
      ...{ success: true, message: texts.welcome, token },
      device: await devices.remember(device, administrator),
      ...(mustChangePassword && { mustChangePassword }),
      ...(mustAddFactor && { mustAddFactor }),
    }
  })

  interface SecondStep {
    challenge: string
    proof: FactorProof
    /** The device that the browser has stored. */
    given: string | undefined
    address: string
  }
  async function finish({ challenge, proof, given, address }: SecondStep) {
    const administrator = await sessions.continueLogin(challenge)
    if (!administrator)
      throw new AppError('unauthenticated', secondFactorMessages.loginExpired, { code: 'login-expired' })
    const { username } = administrator
    const device = given !== undefined && (await devices.isKnown(given, username)) ? given : undefined
    const login = { administrator, challenge, proof, isKnownDevice: device !== undefined }
    const opened = await throttle.attempt({ username, address, device }, () =>
      sessions.openWithFactor(login, (tx, loggedIn, used) =>
        recordLogin(tx, {
          ...{ administrator: loggedIn, address },
          ...(used === 'recovery' && { subject: secondFactorActions.withRecoveryCode }),
        }),
      ),
    )
    if (opened === undefined) return undefined
    const { token, mustChangePassword } = opened
    return {
      ...{ success: true, message: texts.welcome, token },
      device: await devices.remember(device, administrator),
      ...(mustChangePassword && { mustChangePassword }),
    }
  }

  mount(app, finishLogin, async ({ challenge, code, device: given }, { address }) => {
    const reply = await finish({ challenge, proof: { code }, given, address })
    if (reply) return reply
    const message = secondFactorMessages.codeWrong
    throw new AppError('unauthenticated', message, { errors: { code: message } })
  })

  mount(app, finishLoginWithPasskey, async ({ challenge, passkey: assertion, device: given }, { address }) => {
    const reply = await finish({ challenge, proof: { challenge, assertion }, given, address })
    if (reply) return reply
    throw new AppError('unauthenticated', passkeyMessages.refused)
  })

  mountForAdministrators(app, logOut, async (_, { token, audit }) => {
    await sessions.close(token, audit)
    return { success: true, message: texts.goodbye }
  })

  mountForAdministrators(app, readSession, async (_, { administrator }) => ({
    success: true,
    username: administrator.username,
    role: administrator.role,
    ...(administrator.mustChangePassword && { mustChangePassword: true }),
    ...(administrator.mustAddFactor && { mustAddFactor: true }),
  }))

  mount(app, diagnose, async () => {
    const exists = await firstAccount.exists()
    return { success: true, message: exists ? texts.exists : texts.missing, adminExists: exists }
  })

  mount(app, setUp, async () => ({
    success: true,
    message: (await firstAccount.create()) ? texts.created : texts.alreadyThere,
  }))
}
