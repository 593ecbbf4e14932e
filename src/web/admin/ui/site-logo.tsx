import { site } from '#web/admin/ui/site.ts'
import { Logo } from '#web/ui/icons.tsx'

/** The uploaded logo, else our own. */
export function SiteLogo({ size }: { size: number }) {
  return site.logo ? <img src={site.logo} width={size} height={size} alt="" /> : <Logo size={size} />
}
