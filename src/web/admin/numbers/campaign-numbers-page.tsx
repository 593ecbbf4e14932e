// The numbers of one campaign, fresh by themselves while somebody looks.
import { Link, useParams } from 'react-router'
import { readNumbers } from '#contract/admin/numbers.ts'
import { ByCity } from '#web/admin/numbers/by-city.tsx'
import { ByState } from '#web/admin/numbers/by-state.tsx'
import { Summary } from '#web/admin/numbers/summary.tsx'
import { ByDay, ByHour } from '#web/admin/numbers/times.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Shown } from '#web/admin/ui/states.tsx'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'
import './numbers.css'

export function CampaignNumbersPage() {
  const { slug = '' } = useParams()
  const numbers = useRefreshed(readNumbers, {
    params: { slug },
    soonerMs: (reply) => (reply.counted ? undefined : 2_000),
  })
  const { data } = numbers
  return (
    <Page
      title={data?.campaign.titulo ?? 'Números'}
      above={<Link to="/admin/numeros">Números de todas as campanhas</Link>}
      intro={
        data && (
          <>
            Lido em {momentInWords(data.at)}; renova a cada 30 segundos.{' '}
            {!data.campaign.isActive && <span className="badge badge-bad">Campanha desativada</span>}
          </>
        )
      }
    >
      <Shown query={numbers} rows={8}>
        {(read) => (
          <div className="numbers">
            <Summary {...read} />
            <ByHour {...read} />
            <ByDay {...read} />
            <ByState {...read} />
            <ByCity slug={slug} />
          </div>
        )}
      </Shown>
    </Page>
  )
}
