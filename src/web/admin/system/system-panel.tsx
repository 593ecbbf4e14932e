// The status of the system, part by part, each with words beside its mark.
import { Link } from 'react-router'
import { readStatus, type SystemStatus } from '#contract/admin/system.ts'
import { judge, type Part } from '#web/admin/system/judge.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Shown } from '#web/admin/ui/states.tsx'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'
import './system.css'

const marks: Record<Part['state'], string> = { fine: 'Em ordem', look: 'Atenção', unknown: 'Não se sabe' }

export function Parts({ status }: { status: SystemStatus }) {
  return (
    <dl className="parts">
      {judge(status).map(({ name, state, words }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="badge" data-state={state}>
              {marks[state]}
            </span>{' '}
            {words}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** For the dashboard: the same, with the way to what can be done about it. */
export function SystemPanel() {
  const status = useRefreshed(readStatus)
  return (
    <section className="panel" aria-labelledby="status-do-sistema">
      <h2 id="status-do-sistema">Status do sistema</h2>
      <Shown query={status} failed="Não foi possível ler o status: o servidor ou o banco não respondeu.">
        {(read) => (
          <>
            <Parts status={read} />
            <p className="faint">
              Lido em {momentInWords(read.at)}.{' '}
              <Link to="/admin/sistema">
                Ver entregas, e-mails e falhas{read.sampleSettings.length > 0 && ', e os dados de exemplo'}
              </Link>
            </p>
          </>
        )}
      </Shown>
    </section>
  )
}
