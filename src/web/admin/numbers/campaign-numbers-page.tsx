// The numbers of one campaign, refreshed by polling.
import { Link, useParams } from 'react-router'
import { readNumbers } from '#contract/admin/numbers.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { LinkBuilderPanel } from '#web/admin/links/link-builder.tsx'
import { campaignTarget } from '#web/admin/links/link-targets.ts'
import { ByCity } from '#web/admin/numbers/by-city.tsx'
import { ByOrigin } from '#web/admin/numbers/by-origin.tsx'
import { ByState } from '#web/admin/numbers/by-state.tsx'
import { ByDay, ByHour } from '#web/admin/numbers/by-time.tsx'
import { Summary } from '#web/admin/numbers/summary.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'
import './numbers.css'

export function CampaignNumbersPage() {
  const { slug = '' } = useParams()
  const numbers = usePolledQuery(readNumbers, {
    params: { slug },
    nextPollMs: (reply) => (reply.counted ? undefined : 2_000),
  })
  const { data } = numbers
  return (
    <Page
      title={data?.campaign.titulo ?? 'Números'}
      above={<Link to={adminPaths.numbers}>Números de todas as campanhas</Link>}
      intro={
        data && (
          <>
            Lido em {formatDateTime(data.at)}; renova a cada 30 segundos.{' '}
            {!data.campaign.isActive && <span className="badge badge-bad">Campanha desativada</span>}
          </>
        )
      }
    >
      <QueryBoundary query={numbers} rows={8}>
        {(loaded) => (
          <div className="numbers">
            <Summary {...loaded} />
            <ByHour {...loaded} />
            <ByDay {...loaded} />
            <ByState {...loaded} />
            <ByCity slug={slug} />
            <ByOrigin slug={slug} />
            <LinkBuilderPanel targets={[campaignTarget(loaded.campaign)]} />
          </div>
        )}
      </QueryBoundary>
    </Page>
  )
}
