import { adminMessages } from '#contract/admin/messages.ts'
import { listSuppressions, removeSuppression } from '#contract/admin/suppressions.ts'
import type { Deps } from '#server/deps.ts'
import { createSuppressions } from '#server/features/suppressions/suppressions.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

export function registerSuppressions(app: App, { database }: Deps): void {
  const suppressions = createSuppressions(database)

  mountForAdministrators(app, listSuppressions, async (_, { query }) => ({
    success: true,
    ...(await suppressions.list(query)),
  }))

  mountForAdministrators(app, removeSuppression, async (_, { params: { id }, audit }) => {
    await suppressions.remove(id, audit)
    return { success: true, message: adminMessages.suppressions.removed }
  })
}
