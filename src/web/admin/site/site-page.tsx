import { useQuery } from '@tanstack/react-query'
import { SiteForm } from '#web/admin/site/site-form.tsx'
import { siteQuery } from '#web/admin/site/site-queries.ts'
import { SiteVersions } from '#web/admin/site/site-versions.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import './site-page.css'

export function SitePage() {
  const stored = useQuery(siteQuery)
  return (
    <Page
      title="Site"
      intro="Nome, logo, contato, redes, grupos e menu. Vale em todo o site segundos depois de salvar."
    >
      <QueryBoundary query={stored} rows={8}>
        {({ site }) => (
          <>
            <SiteForm stored={site} />
            <SiteVersions currentVersion={site.versao} />
          </>
        )}
      </QueryBoundary>
    </Page>
  )
}
