// The team, the own account, and the record of what everybody did.
import { listDeeds, readDeedFilters } from '#contract/admin/deeds.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  activateMember,
  changePassword,
  createMember,
  deactivateMember,
  endOtherSessions,
  listTeam,
  renewPassword,
} from '#contract/admin/team.ts'
import { AppError } from '#server/core/errors.ts'
import type { Deeds } from '#server/features/admin/deeds.ts'
import type { LoginPace } from '#server/features/admin/login-pace.ts'
import type { RefusedPasswords } from '#server/features/admin/refused-passwords.ts'
import type { Sessions } from '#server/features/admin/sessions.ts'
import type { Team } from '#server/features/admin/team.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

export interface TeamServices {
  team: Team
  sessions: Sessions
  pace: LoginPace
  deeds: Deeds
  refused: RefusedPasswords
}

const { team: sentences } = adminMessages

export function teamRoutes(app: App, { team, sessions, pace, deeds, refused }: TeamServices): void {
  mountForAdministrators(app, listTeam, async (_, { administrator }) => ({
    success: true,
    members: await team.list(administrator),
  }))

  mountForAdministrators(app, createMember, async (member, { audit }) => {
    const password = await team.create(member, audit)
    return { success: true, message: sentences.created, password }
  })

  mountForAdministrators(app, deactivateMember, async (_, { params, audit }) => {
    await team.deactivate(params.id, audit)
    return { success: true, message: sentences.deactivated }
  })

  mountForAdministrators(app, activateMember, async (_, { params, audit }) => {
    await team.activate(params.id, audit)
    return { success: true, message: sentences.activated }
  })

  mountForAdministrators(app, renewPassword, async (_, { params, administrator, audit }) => {
    const { isActive, password } = await team.renewPassword(params.id, administrator, audit)
    return { success: true, message: sentences.renewed(isActive), password }
  })

  mountForAdministrators(app, changePassword, async ({ current, password }, call) => {
    const { administrator, token, address, audit } = call
    if (current === password) throw refusal('password', sentences.samePassword)
    // Whoever holds a stolen token guesses no faster than at the door.
    const { username } = administrator
    const changed = await pace.attempt({ username, address, device: token }, () =>
      sessions.changePassword({ administrator, token, current, password }, audit),
    )
    if (!changed) throw refusal('current', sentences.currentWrong)
    return { success: true, message: sentences.passwordChanged }
  })

  mountForAdministrators(app, endOtherSessions, async (_, { administrator, token, audit }) => {
    await sessions.closeOthers(administrator, token, audit)
    return { success: true, message: sentences.othersEnded }
  })

  mountForAdministrators(app, listDeeds, async (_, { query }) => {
    await refused.settle()
    return { success: true, ...(await deeds.list(query)) }
  })

  mountForAdministrators(app, readDeedFilters, async () => {
    await refused.settle()
    return { success: true, ...(await deeds.filters()) }
  })
}

function refusal(field: string, sentence: string): AppError {
  return new AppError('invalid', sentence, { [field]: sentence })
}
