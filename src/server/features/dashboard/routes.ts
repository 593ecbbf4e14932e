import { readDashboard } from '#contract/admin/dashboard.ts'
import type { Deps } from '#server/deps.ts'
import { createDashboard } from '#server/features/dashboard/dashboard.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

export function registerDashboard(app: App, deps: Deps, options: { refreshMs: number }): void {
  const dashboard = createDashboard(deps, options)
  mountForAdministrators(app, readDashboard, async (_, { administrator: { role } }) => ({
    success: true,
    ...(await dashboard.read(role)),
  }))
}
