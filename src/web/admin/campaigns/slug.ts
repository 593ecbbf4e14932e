import { campaignLimits } from '#contract/admin/campaigns.ts'
import { foldText } from '#contract/fold-text.ts'

const maxSuggestedLength = 60

/** "Praça viva, já!" becomes `praca-viva-ja`. */
export function slugFrom(title: string): string {
  const words = foldText(title).split(' ')
  let slug = ''
  for (const word of words) {
    const extended = slug ? `${slug}-${word}` : word
    if (slug && extended.length > maxSuggestedLength) break
    slug = extended
  }
  return slug.slice(0, campaignLimits.slug)
}

/** Removes characters that a sheet name cannot contain, and cuts between words. */
export function sheetTabFrom(title: string): string {
  const words = title
    .replace(/[[\]:*?/\\]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  let tab = ''
  for (const word of words) {
    const extended = tab ? `${tab} ${word}` : word
    if (tab && extended.length > campaignLimits.sheetTab) break
    tab = extended
  }
  return tab.slice(0, campaignLimits.sheetTab).replace(/^'+|[\s']+$/g, '')
}
