// Suggestions from a title: "Praça viva, já!" becomes the address `praca-viva-ja`, and a tab of the spreadsheet.
import { campaignLimits } from '#contract/admin/campaigns.ts'

const readable = 60

export function slugFrom(title: string): string {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  let slug = ''
  for (const word of words) {
    const longer = slug ? `${slug}-${word}` : word
    if (slug && longer.length > readable) break
    slug = longer
  }
  return slug.slice(0, campaignLimits.slug)
}

/** Without the signs that a tab's name cannot have, cut between words. */
export function sheetTabFrom(title: string): string {
  const words = title
    .replace(/[[\]:*?/\\]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  let tab = ''
  for (const word of words) {
    const longer = tab ? `${tab} ${word}` : word
    if (tab && longer.length > campaignLimits.sheetTab) break
    tab = longer
  }
  return tab.slice(0, campaignLimits.sheetTab).replace(/^'+|[\s']+$/g, '')
}
