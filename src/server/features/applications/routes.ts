// Applying as an influencer and as a leader.
import { applicationMessages, applyAsInfluencer, applyAsLeader } from '#contract/applications.ts'
import type { Applications } from '#server/features/applications/applications.ts'
import { type App, mount } from '#server/http/mount.ts'

export function applicationRoutes(app: App, { applications }: { applications: Applications }): void {
  // A robot is told that it succeeded, so that it does not try another way.
  mount(app, applyAsInfluencer, async (application, { requestId }) => {
    if (!application.honeypot) await applications.recordInfluencer(application, requestId)
    return { success: true, message: applicationMessages.influencer.applied }
  })

  mount(app, applyAsLeader, async (application, { requestId }) => {
    // Before the honeypot is looked at: a closed form is closed to robots too.
    applications.expectLeaders()
    if (!application.honeypot) await applications.recordLeader(application, requestId)
    return { success: true, message: applicationMessages.leader.applied }
  })
}
