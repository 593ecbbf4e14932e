// Routes for login, logout and the first account of the admin area.
import { adminMessages } from '#contract/admin/messages.ts'
import { diagnose, logIn, logOut, readSession, setUp } from '#contract/admin/session.ts'
import { AppError } from '#server/core/errors.ts'
import { networkPrefix } from '#server/core/network-prefix.ts'
import type { Orm } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { createAuditLog } from '#server/features/admin/audit-log.ts'
import { createDevices } from '#server/features/admin/devices.ts'
import { createFirstAccount } from '#server/features/admin/first-administrator.ts'
import { createGuessLimit } from '#server/features/admin/guess-limit.ts'
import { createGuessNotice } from '#server/features/admin/guess-notice.ts'
import { createLoginThrottle } from '#server/features/admin/login-throttle.ts'
import { createReadAudit } from '#server/features/admin/read-audit.ts'
import { createRefusedAccess } from '#server/features/admin/refused-access.ts'
import { createRefusedPasswords } from '#server/features/admin/refused-passwords.ts'
import { createSessions } from '#server/features/admin/sessions.ts'
import { createTeam } from '#server/features/admin/team.ts'
import { registerTeam } from '#server/features/admin/team-routes.ts'
import { type Administrator, createAdminGuard, createSessionCheck } from '#server/http/guard.ts'
import { type App, mount, mountForAdministrators } from '#server/http/mount.ts'

const { session: texts } = adminMessages

interface AdminOptions {
  showFirstPassword(password: string): void
}

/** Also provides the guard and the audit log for the routes of all features. */
export function registerAdmin(app: App, deps: Deps, { showFirstPassword }: AdminOptions): void {
  const { config, log, database, mailer, site } = deps
  const auditLog = createAuditLog(database)
  const refused = createRefusedPasswords(auditLog.record, log)
  const guessNotice = createGuessNotice({ database, mailer, site, log, publicUrl: config.publicUrl })
  const sessions = createSessions(database, {
    guesses: createGuessLimit(database),
    onRefused: refused.add,
    onLimitReached: guessNotice.notify,
  })
  const devices = createDevices(database)
  const throttle = createLoginThrottle()
  const firstAccount = createFirstAccount(database, config.admin, showFirstPassword)
  const refusedAccess = createRefusedAccess(auditLog.record, log)
  app.addHook('onClose', async () => {
    guessNotice.close()
    await refused.flush()
    await refusedAccess.flush()
  })
  app.decorate('requireAdministrator', createAdminGuard(sessions.findAdministrator, refusedAccess.add))
  app.decorate('sessionIsOpen', createSessionCheck(sessions.findAdministrator))
  app.decorate('recordAudit', auditLog.record)
  app.decorate('recordRead', createReadAudit(auditLog.record))
  registerTeam(app, { team: createTeam(database), sessions, throttle, auditLog, refused })

  const recordLogin = (tx: Orm, administrator: Administrator, address: string) =>
    app.recordAudit(
      { administrator: { ...administrator, address: networkPrefix(address) }, action: 'Entrou', subject: '' },
      tx,
    )

  mount(app, logIn, async ({ username, password, device: given }, { address }) => {
    const device = given !== undefined && (await devices.isKnown(given, username)) ? given : undefined
    const opened = await throttle.attempt({ username, address, device }, () =>
      sessions.open({ username, password, isKnownDevice: device !== undefined }, (tx, administrator) =>
        recordLogin(tx, administrator, address),
      ),
    )
    if (opened === undefined) throw new AppError('unauthenticated', texts.refused)
    const { token, administrator, mustChangePassword } = opened
    return {
      ...{ success: true, message: texts.welcome, token },
      device: await devices.remember(given, administrator),
      ...(mustChangePassword && { mustChangePassword }),
    }
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
