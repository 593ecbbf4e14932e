// Routes for the team, the administrator's own account and the audit log.
import { listAuditLog, readAuditFilters } from '#contract/admin/audit-log.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  activateMember,
  changePassword,
  changeRole,
  confirmIdentity,
  createMember,
  deactivateMember,
  endOtherSessions,
  listTeam,
  resetMemberPassword,
} from '#contract/admin/team.ts'
import { AppError } from '#server/core/errors.ts'
import type { AuditLog } from '#server/features/admin/audit-log.ts'
import { refuseCommonPassword } from '#server/features/admin/common-passwords.ts'
import type { LoginThrottle } from '#server/features/admin/login-throttle.ts'
import type { RefusedPasswords } from '#server/features/admin/refused-passwords.ts'
import type { Sessions } from '#server/features/admin/sessions.ts'
import type { Team } from '#server/features/admin/team.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

interface TeamServices {
  team: Team
  sessions: Sessions
  throttle: LoginThrottle
  auditLog: AuditLog
  refused: RefusedPasswords[]
}

const { team: texts } = adminMessages

export function registerTeam(app: App, { team, sessions, throttle, auditLog, refused }: TeamServices): void {
  mountForAdministrators(app, listTeam, async (_, { administrator }) => ({
    success: true,
    members: await team.list(administrator),
  }))

  mountForAdministrators(app, createMember, async (member, { audit }) => {
    const password = await team.create(member, audit)
    return { success: true, message: texts.created, password }
  })

  mountForAdministrators(app, deactivateMember, async (_, { params, audit }) => {
    await team.deactivate(params.id, audit)
    return { success: true, message: texts.deactivated }
  })

  mountForAdministrators(app, activateMember, async (_, { params, audit }) => {
    await team.activate(params.id, audit)
    return { success: true, message: texts.activated }
  })

  mountForAdministrators(app, changeRole, async ({ role }, { params, audit }) => {
    await team.changeRole(params.id, role, audit)
    return { success: true, message: texts.roleChanged }
  })

  mountForAdministrators(app, resetMemberPassword, async (_, { params, administrator, audit }) => {
    const { isActive, password } = await team.resetMemberPassword(params.id, administrator, audit)
    return { success: true, message: texts.renewed(isActive), password }
  })

  mountForAdministrators(app, changePassword, async ({ current, password, device }, call) => {
    const { administrator, token, address, audit } = call
    if (current === password) throw refusal('password', texts.samePassword)
    refuseCommonPassword(password)
    // Throttled like a login: a stolen token must not allow faster guessing.
    const { username } = administrator
    const changed = await throttle.attempt({ username, address, device: token }, () =>
      sessions.changePassword({ administrator, token, device, current, password }, audit),
    )
    if (!changed) throw refusal('current', texts.currentWrong)
    return { success: true, message: texts.passwordChanged }
  })

  mountForAdministrators(app, confirmIdentity, async ({ ownPassword: password, ownCode, ownPasskey }, call) => {
    const { administrator, token, address, audit } = call
    const { username } = administrator
    const proof = ownPasskey ?? (ownCode === undefined ? undefined : { code: ownCode })
    const confirmed = await throttle.attempt({ username, address, device: token }, () =>
      sessions.confirm({ administrator, token, password, proof }, audit),
    )
    if (!confirmed) throw refusal('ownPassword', texts.currentWrong)
    return { success: true, message: texts.confirmed }
  })

  mountForAdministrators(app, endOtherSessions, async (_, { administrator, token, audit }) => {
    await sessions.closeOthers(administrator, token, audit)
    return { success: true, message: texts.othersEnded }
  })

  mountForAdministrators(app, listAuditLog, async (_, { query }) => {
    for (const each of refused) await each.flush()
    return { success: true, ...(await auditLog.list(query)) }
  })

  mountForAdministrators(app, readAuditFilters, async () => {
    for (const each of refused) await each.flush()
    return { success: true, ...(await auditLog.filters()) }
  })
}

function refusal(field: string, message: string): AppError {
  return new AppError('invalid', message, { errors: { [field]: message } })
}
