// All campaigns in numbers, one line each.
import { Link } from 'react-router'
import { type CampaignNumbers, isFirstHour, listNumbers } from '#contract/admin/numbers.ts'
import { inWords } from '#web/admin/ui/amounts.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'
import './numbers-page.css'

const wholeHours = (pace: CampaignNumbers['pace'], span: 'hour' | 'day' | 'week') =>
  isFirstHour(pace) ? '–' : inWords(pace[span])

export function NumbersPage() {
  const numbers = useRefreshed(listNumbers)
  return (
    <Page
      title="Números"
      intro="Cada campanha por hora, dia, estado e cidade. 24 horas e 7 dias são de horas cheias, sem a que está em curso. Renova a cada 30 segundos."
    >
      <Shown query={numbers}>
        {({ campaigns }) =>
          campaigns.length === 0 ? (
            <Empty>Ainda não há campanhas.</Empty>
          ) : (
            <Table
              caption="Campanhas em números"
              rows={campaigns}
              keyOf={({ slug }) => slug}
              columns={[
                {
                  title: 'Campanha',
                  cell: ({ slug, titulo, isActive }) => (
                    <span>
                      <Link className="row-link" to={`/admin/numeros/${slug}`}>
                        {titulo}
                      </Link>{' '}
                      {!isActive && <span className="badge badge-bad">Desativada</span>}
                    </span>
                  ),
                },
                {
                  title: 'Contador público',
                  numeric: true,
                  cell: ({ baseCount, signatures }) => <strong>{inWords(baseCount + signatures)}</strong>,
                },
                { title: 'Base', numeric: true, cell: ({ baseCount }) => inWords(baseCount) },
                { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => inWords(signatures) },
                { title: 'Nesta hora', numeric: true, cell: ({ pace }) => inWords(pace.open) },
                { title: 'Hora anterior', numeric: true, cell: ({ pace }) => wholeHours(pace, 'hour') },
                { title: '24 horas', numeric: true, cell: ({ pace }) => wholeHours(pace, 'day') },
                { title: '7 dias', numeric: true, cell: ({ pace }) => wholeHours(pace, 'week') },
              ]}
            />
          )
        }
      </Shown>
    </Page>
  )
}
