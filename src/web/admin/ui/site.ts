import type { Site } from '#contract/site.ts'

/** Settings that the server embeds in the HTML document. */
export const site = JSON.parse(document.getElementById('site')?.textContent ?? '{}') as Site
