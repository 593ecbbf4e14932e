// One import: mapping and preview before the start, then progress and result.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { kindLabels } from '#contract/admin/people.ts'
import { cancelImport, exportRejections, type ImportSummary } from '#contract/admin/people-import.ts'
import { fillPath } from '#contract/endpoint.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { importQuery } from '#web/admin/people/import-queries.ts'
import { ImportSetup } from '#web/admin/people/import-setup.tsx'
import { importStatuses } from '#web/admin/people/imports-page.tsx'
import { useCampaignTitles } from '#web/admin/people/people-queries.ts'
import { downloadStream, saveFile } from '#web/admin/people/progress-stream.ts'
import { DescriptionList } from '#web/admin/ui/description-list.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatDuration, formatNumber, pluralize } from '#web/admin/ui/format-number.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import './imports.css'

const { imports: texts } = adminMessages

export function ImportPage() {
  const { id = '' } = useParams()
  const query = useQuery(importQuery(id))
  const file = query.data?.importacao.arquivo
  const back = (
    <Link className="back" to={adminPaths.peopleImports}>
      Importar lista
    </Link>
  )
  return (
    <Page title={file ?? 'Importação'} above={back}>
      <QueryBoundary query={query}>
        {({ importacao, colunas, rejeitadas }) =>
          importacao.status === 'staged' ? (
            <ImportSetup summary={importacao} columns={colunas} />
          ) : (
            <>
              <Progress summary={importacao} />
              <Result summary={importacao} />
              <Rejections summary={importacao} rejections={rejeitadas} />
            </>
          )
        }
      </QueryBoundary>
    </Page>
  )
}

/** Remaining time by the rate since this page was opened. */
function useRemainingSeconds({ processadas, total }: ImportSummary): number | undefined {
  const [first] = useState(() => ({ processadas, at: performance.now() }))
  const done = processadas - first.processadas
  return done > 0 ? ((total - processadas) * (performance.now() - first.at)) / done / 1_000 : undefined
}

function Progress({ summary }: { summary: ImportSummary }) {
  const { id, status, total, processadas } = summary
  const queries = useQueryClient()
  const remaining = useRemainingSeconds(summary)
  const cancelling = useMutation({
    mutationFn: () => callAdmin(cancelImport, { params: { id: String(id) } }),
    onSettled: () => queries.invalidateQueries({ queryKey: importQuery(String(id)).queryKey }),
  })
  if (status !== 'running') return null
  return (
    <section className="panel import-progress" aria-label="Andamento">
      <progress aria-label="Andamento da importação" max={total} value={processadas} />
      <p>
        {formatNumber(processadas)} de {pluralize(total, 'linha', 'linhas')}
        {remaining !== undefined && `, faltam ${formatDuration(remaining)}`}
      </p>
      <p className="faint">Pode sair desta página: a importação continua no servidor.</p>
      <p role="alert" className="error">
        {cancelling.error && errorMessage(cancelling.error, 'Não foi possível cancelar.')}
      </p>
      <button type="button" className="button" disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
        Cancelar importação
      </button>
    </section>
  )
}

function Result({ summary }: { summary: ImportSummary }) {
  const { tipo, status, aceitas, rejeitadas, campanha, origem, baseLegal, autor, criadaEm, motivo } = summary
  const campaignTitle = useCampaignTitles()
  const list = `${fillPath(adminPaths.peopleOfKind, { tipo })}?${new URLSearchParams({ origem: origem ?? '' })}`
  return (
    <section className="panel" aria-labelledby="resultado">
      <h2 id="resultado">{importStatuses[status]}</h2>
      <p role="status" className="import-numbers">
        <strong>{pluralize(aceitas, 'linha aceita', 'linhas aceitas')}</strong>
        <span>{pluralize(rejeitadas, 'linha rejeitada', 'linhas rejeitadas')}</span>
      </p>
      {motivo && <p className="error">{motivo}</p>}
      {status === 'cancelled' && <p>{texts.cancelled}</p>}
      <DescriptionList
        items={[
          ['Lista', kindLabels[tipo].list],
          ['Campanha', campanha && campaignTitle(campanha)],
          ['Origem', origem],
          ['Base legal', baseLegal],
          ['Importado por', `${autor}, em ${formatDateTime(criadaEm)}`],
        ]}
      />
      {aceitas > 0 && status !== 'running' && (
        <div className="actions">
          <Link className="button button-yellow" to={list}>
            Ver as pessoas desta origem
          </Link>
        </div>
      )}
    </section>
  )
}

interface RejectionsProps {
  summary: ImportSummary
  rejections: { linha: number; motivo: string }[]
}

function Rejections({ summary: { id, rejeitadas, status }, rejections }: RejectionsProps) {
  const downloading = useMutation({
    mutationFn: () =>
      downloadStream({
        path: fillPath(exportRejections.path, { id: String(id) }),
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    onSuccess: saveFile,
  })
  if (rejeitadas === 0) return null
  return (
    <section className="panel" aria-labelledby="rejeitadas">
      <h2 id="rejeitadas">Linhas rejeitadas</h2>
      <Table
        compact
        caption="Linhas rejeitadas"
        columns={[
          { title: 'Linha', cell: ({ linha }) => formatNumber(linha) },
          { title: 'Motivo', cell: ({ motivo }) => motivo },
        ]}
        rows={rejections}
        keyOf={({ linha }) => linha}
      />
      {rejeitadas > rejections.length && (
        <p className="faint">As primeiras {formatNumber(rejections.length)}. O arquivo tem todas.</p>
      )}
      <p role="alert" className="error">
        {downloading.error && errorMessage(downloading.error, adminMessages.people.exportFailed)}
      </p>
      <button
        type="button"
        className="button"
        disabled={downloading.isPending || status === 'running'}
        onClick={() => downloading.mutate()}
      >
        Baixar as rejeitadas (CSV)
      </button>
      <p className="faint">
        Por 24 horas o arquivo traz também as células originais, para corrigir e importar de novo.
      </p>
    </section>
  )
}
