// Saved versions of the settings: who saved, when, what changed, and restoring one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { type listSiteVersions, restoreSiteVersion } from '#contract/admin/site.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { siteQuery, siteVersionsQuery, updateCachedSite } from '#web/admin/site/site-queries.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { RestoreIcon } from '#web/admin/ui/icons.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { ApiFailure } from '#web/api/client.ts'

type Version = ReplyOf<typeof listSiteVersions>['versoes'][number]

export function SiteVersions({ currentVersion }: { currentVersion: number }) {
  const versions = useQuery(siteVersionsQuery)
  const [chosen, setChosen] = useState<number>()
  const columns: Column<Version>[] = [
    { title: 'Versão', cell: ({ versao }) => (versao === currentVersion ? `${versao} (em vigor)` : versao) },
    { title: 'Salva em', cell: ({ createdAt }) => formatDateTime(createdAt) },
    { title: 'Por', cell: ({ autor }) => autor ?? '–' },
    { title: 'O que mudou', cell: ({ mudou }) => mudou.join(', ') || 'Nada' },
    {
      title: 'Ações',
      cell: ({ versao }) =>
        versao !== currentVersion && (
          <button type="button" className="button small" onClick={() => setChosen(versao)}>
            <RestoreIcon size={18} /> Restaurar<span className="hidden"> a versão {versao}</span>
          </button>
        ),
    },
  ]
  return (
    <section className="panel" id="versoes" aria-labelledby="versoes-titulo">
      <h2 id="versoes-titulo" tabIndex={-1}>
        Versões
      </h2>
      <QueryBoundary query={versions} rows={2}>
        {({ versoes }) =>
          versoes.length === 0 ? (
            <EmptyState>Nada foi salvo ainda: valem os valores iniciais do servidor.</EmptyState>
          ) : (
            <Table
              caption="Versões das configurações"
              columns={columns}
              rows={versoes}
              keyOf={({ versao }) => versao}
            />
          )
        }
      </QueryBoundary>
      {chosen !== undefined && (
        <Restoring versao={chosen} currentVersion={currentVersion} onClose={() => setChosen(undefined)} />
      )}
    </section>
  )
}

interface RestoringProps {
  versao: number
  currentVersion: number
  onClose(): void
}

function Restoring({ versao, currentVersion, onClose }: RestoringProps) {
  const queries = useQueryClient()
  const restoring = useMutation({
    mutationFn: () =>
      callAdmin(restoreSiteVersion, { params: { versao: String(versao) }, body: { versao: currentVersion } }),
    onSuccess({ message, site }) {
      updateCachedSite(queries, site)
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      onClose()
    },
    onError(error) {
      // Another administrator saved: the page shows that version.
      if (error instanceof ApiFailure && error.statusCode === 409)
        void queries.invalidateQueries({ queryKey: siteQuery.queryKey })
    },
  })
  return (
    <Confirmation
      title={`Restaurar a versão ${versao}?`}
      question="As configurações daquela versão voltam a valer em todo o site. A de agora continua nesta lista."
      action="Restaurar"
      busy={restoring.isPending}
      problem={restoring.error ? errorMessage(restoring.error, adminMessages.site.failed) : ''}
      onConfirm={() => restoring.mutate()}
      onClose={onClose}
    />
  )
}
