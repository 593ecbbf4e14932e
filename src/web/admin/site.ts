// Whose site is administered: the settings that the document brought along.
import type { Site } from '#contract/site.ts'

export const site = JSON.parse(document.getElementById('site')?.textContent ?? '{}') as Site
