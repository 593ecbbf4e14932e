// The dashboard: figures first, then what to do, then the cards of all pages and the status of the system.
import { Link } from 'react-router'
import { readDashboard } from '#contract/admin/dashboard.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { CampaignFigures, Figures } from '#web/admin/dashboard/figures.tsx'
import { TodoList } from '#web/admin/dashboard/todo-list.tsx'
import { navigationFor } from '#web/admin/layout/navigation.ts'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { SystemPanel } from '#web/admin/system/system-panel.tsx'
import { formatTime } from '#web/admin/ui/format-date.ts'
import { AddIcon, SettingsIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'
import './dashboard-page.css'

export function DashboardPage() {
  const dashboard = usePolledQuery(readDashboard)
  const { data } = dashboard
  const isCoordinator = useIsCoordinator()
  return (
    <Page
      title="Painel"
      intro={`Quem chegou hoje e o que precisa de você.${data ? ` Lido às ${formatTime(data.at)}.` : ''}`}
      actions={
        <Link className="button button-yellow" to={adminPaths.newCampaign}>
          <AddIcon /> Nova campanha
        </Link>
      }
    >
      <div className="dashboard">
        <QueryBoundary
          query={dashboard}
          failed="Não foi possível ler os números: o servidor ou o banco não respondeu."
          shape="cards"
          rows={6}
        >
          {(read) => (
            <>
              <Figures {...read} />
              <TodoList {...read} />
              <CampaignFigures {...read} />
            </>
          )}
        </QueryBoundary>
        <section aria-labelledby="onde-ir">
          <h2 id="onde-ir">Áreas</h2>
          <ul className="cards">
            {navigationFor(isCoordinator ? 'coordenacao' : 'conteudo')
              .flatMap(({ items }) => items)
              .map(({ path, name, description, icon: Icon }) => (
                <li key={path}>
                  <Link className="panel" to={path}>
                    <h3>
                      <Icon size={24} /> {name}
                    </h3>
                    <p>{description}</p>
                  </Link>
                </li>
              ))}
            <li>
              <div className="panel" aria-disabled="true">
                <h3>
                  <SettingsIcon size={24} /> Configurações
                </h3>
                <p>Em breve</p>
              </div>
            </li>
          </ul>
        </section>
        {isCoordinator && <SystemPanel />}
      </div>
    </Page>
  )
}
