import { applicationMessages, applyAsInfluencer, applyAsLeader } from '#contract/applications.ts'
import { encryptionOf } from '#server/core/encryption.ts'
import type { Submissions } from '#server/db/submissions.ts'
import type { Deps } from '#server/deps.ts'
import { createApplications } from '#server/features/applications/applications.ts'
import { createConversion } from '#server/features/applications/conversion.ts'
import { type App, mount } from '#server/http/mount.ts'

export function registerApplications(app: App, deps: Deps, submissions: Submissions): void {
  const { config, log } = deps
  const encryption = encryptionOf(config)
  const applications = createApplications(submissions, encryption, log)
  if (encryption) {
    const conversion = createConversion(deps, encryption)
    app.addHook('onReady', async () => conversion.start())
    app.addHook('onClose', () => conversion.stop())
  }
  // A bot also gets a success reply, so that it does not try another way.
  mount(app, applyAsInfluencer, async (application, { requestId }) => {
    if (!application.honeypot) await applications.recordInfluencer(application, requestId)
    return { success: true, message: applicationMessages.influencer.applied }
  })

  mount(app, applyAsLeader, async (application, { requestId }) => {
    // Before the honeypot check: a closed form gives bots the same answer.
    applications.requireLeaderForm()
    if (!application.honeypot) await applications.recordLeader(application, requestId)
    return { success: true, message: applicationMessages.leader.applied }
  })
}
