import { defaultSettings, resolveSite } from '#contract/site-settings.ts'

/** The settings in effect on a new site without SITE_FILE. */
export const defaultSite = resolveSite(defaultSettings)
