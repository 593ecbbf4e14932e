// An address from a title: "Praça viva, já!" becomes `praca-viva-ja`.
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
