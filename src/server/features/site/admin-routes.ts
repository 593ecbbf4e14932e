import { adminMessages } from '#contract/admin/messages.ts'
import { listSiteVersions, readSiteSettings, restoreSiteVersion, saveSiteSettings } from '#contract/admin/site.ts'
import type { createStoredSettings } from '#server/features/site/stored-settings.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

const { site: texts } = adminMessages

export function registerSiteAdmin(app: App, stored: ReturnType<typeof createStoredSettings>): void {
  mountForAdministrators(app, readSiteSettings, async () => ({ success: true, site: await stored.current() }))

  mountForAdministrators(app, saveSiteSettings, async (edit, { administrator: { username }, audit }) => {
    const { versao, ...settings } = edit
    const { site, isChanged } = await stored.update({ base: versao, settings }, { username, audit })
    return { success: true, message: isChanged ? texts.saved : texts.unchanged, site }
  })

  mountForAdministrators(app, listSiteVersions, async () => ({ success: true, versoes: await stored.versions() }))

  mountForAdministrators(app, restoreSiteVersion, async (body, { params, administrator: { username }, audit }) => {
    const { site, isChanged, isLogoLost } = await stored.restore(params.versao, body.versao, { username, audit })
    const restored = isLogoLost ? texts.restoredWithoutLogo(params.versao) : texts.restored(params.versao)
    return { success: true, message: isChanged ? restored : texts.unchanged, site }
  })
}
