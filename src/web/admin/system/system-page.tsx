// The system page: health checks, dead deliveries, local e-mails and recent failures.
import { readStatus } from '#contract/admin/system.ts'
import { DeadDeliveries } from '#web/admin/system/dead-deliveries.tsx'
import { Failures } from '#web/admin/system/failures.tsx'
import { LocalEmails } from '#web/admin/system/local-emails.tsx'
import { SampleSettings } from '#web/admin/system/sample-settings.tsx'
import { SuppressedAddresses } from '#web/admin/system/suppressed-addresses.tsx'
import { HealthCheckList } from '#web/admin/system/system-panel.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'

export function SystemPage() {
  const statusQuery = usePolledQuery(readStatus)
  const { data } = statusQuery
  return (
    <Page
      title="Sistema"
      intro={`Está tudo funcionando?${data ? ` Lido em ${formatDateTime(data.at)}; renova a cada 30 segundos.` : ''}`}
    >
      <div className="system">
        <QueryBoundary
          query={statusQuery}
          failed="Não foi possível ler o status: o servidor ou o banco não respondeu."
          rows={7}
        >
          {(status) => (
            <>
              <section className="panel" aria-label="Partes do sistema">
                <HealthCheckList status={status} />
                {status.spreadsheet?.kind === 'csv' && (
                  <p className="faint">A planilha fica em {status.spreadsheet.address}.</p>
                )}
              </section>
              <SampleSettings settings={status.sampleSettings} />
              <DeadDeliveries status={status} />
              <SuppressedAddresses />
              <LocalEmails isInUse={status.email === 'local'} />
              <Failures failures={status.failures} />
            </>
          )}
        </QueryBoundary>
      </div>
    </Page>
  )
}
