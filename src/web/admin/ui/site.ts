import type { Site } from '#contract/site.ts'

/** The address of the site, which may differ from the address that the administrator uses. */
export const publicUrl = document.getElementById('admin')?.dataset.publicUrl ?? location.origin

/** Settings that the server embeds in the HTML document. */
export const site = JSON.parse(document.getElementById('site')?.textContent ?? '{}') as Site
