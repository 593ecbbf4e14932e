// Health checks of the system, each with a badge and a text.
import { Link } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { readStatus, type SystemStatus } from '#contract/admin/system.ts'
import { checkHealth, type HealthCheck } from '#web/admin/system/health-checks.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'
import './system.css'

const stateLabels: Record<HealthCheck['state'], string> = { fine: 'Em ordem', look: 'Atenção', unknown: 'Não se sabe' }

export function HealthCheckList({ status }: { status: SystemStatus }) {
  return (
    <dl className="parts">
      {checkHealth(status).map(({ name, state, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="badge" data-state={state}>
              {stateLabels[state]}
            </span>{' '}
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** For the dashboard: the health checks, with a link to the system page. */
export function SystemPanel() {
  const statusQuery = usePolledQuery(readStatus)
  return (
    <section className="panel" aria-labelledby="status-do-sistema">
      <h2 id="status-do-sistema">Status do sistema</h2>
      <QueryBoundary query={statusQuery} failed="Não foi possível ler o status: o servidor ou o banco não respondeu.">
        {(status) => (
          <>
            <HealthCheckList status={status} />
            <p className="faint">
              Lido em {formatDateTime(status.at)}.{' '}
              <Link to={adminPaths.system}>
                Ver entregas, e-mails e falhas{status.sampleSettings.length > 0 && ', e os dados de exemplo'}
              </Link>
            </p>
          </>
        )}
      </QueryBoundary>
    </section>
  )
}
