// The system in full: its parts, deliveries that got stuck, e-mails that stayed here, and what went wrong lately.
import { readStatus } from '#contract/admin/system.ts'
import { Failures } from '#web/admin/system/failures.tsx'
import { LocalEmails } from '#web/admin/system/local-emails.tsx'
import { ParkedDeliveries } from '#web/admin/system/parked-deliveries.tsx'
import { SampleSettings } from '#web/admin/system/sample-settings.tsx'
import { Parts } from '#web/admin/system/system-panel.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Shown } from '#web/admin/ui/states.tsx'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'

export function SystemPage() {
  const status = useRefreshed(readStatus)
  const { data } = status
  return (
    <Page title="Sistema" intro={data && `Lido em ${momentInWords(data.at)}; renova a cada 30 segundos.`}>
      <div className="system">
        <Shown query={status} failed="Não foi possível ler o status: o servidor ou o banco não respondeu." rows={7}>
          {(read) => (
            <>
              <section className="panel" aria-label="Partes do sistema">
                <Parts status={read} />
                {read.spreadsheet?.kind === 'csv' && (
                  <p className="faint">A planilha fica em {read.spreadsheet.address}.</p>
                )}
              </section>
              <SampleSettings settings={read.sampleSettings} />
              <ParkedDeliveries status={read} />
              <LocalEmails isInUse={read.email === 'local'} />
              <Failures failures={read.failures} />
            </>
          )}
        </Shown>
      </div>
    </Page>
  )
}
