import type { SiteFields, StoredSite } from '#contract/admin/site.ts'
import { resolveMenu } from '#contract/site-menu.ts'
import { Logo } from '#web/ui/icons.tsx'

interface HeaderPreviewProps {
  settings: SiteFields
  deputado: StoredSite['deputado']
}

/** The header as visitors will see it after saving. */
export function HeaderPreview({ settings, deputado }: HeaderPreviewProps) {
  const { movimento, logo, menu } = settings
  return (
    <figure className="header-preview">
      <figcaption>Prévia do cabeçalho</figcaption>
      <div className="header-preview-bar">
        <p className="header-preview-brand">
          {logo ? <img src={logo} width={40} height={40} alt="" /> : <Logo />}
          <span>{movimento}</span>
        </p>
        <ul>
          {resolveMenu(menu, deputado).map(({ href, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two links may be the same while they are edited
            <li key={index}>{text || href || '...'}</li>
          ))}
        </ul>
      </div>
    </figure>
  )
}
