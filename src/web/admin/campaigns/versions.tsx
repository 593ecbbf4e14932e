// All versions of the manifesto: since when, by which author, and how many people signed each.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type listVersions, restoreVersion, type StoredCampaign } from '#contract/admin/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { versionsQuery, versionTextQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { useCampaignChange } from '#web/admin/campaigns/use-campaign-change.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatNumber, pluralize } from '#web/admin/ui/format-number.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'

type VersionList = ReplyOf<typeof listVersions>
type Version = VersionList['versions'][number]

/** Interval until the next poll, while the count is incomplete. */
function nextPollMs({ versions, counted }: VersionList): number | undefined {
  if (versions.some(({ signatures }) => signatures === null)) return 2_000
  return counted && counted.uncounted !== 0 ? 30_000 : undefined
}

interface VersionsProps {
  campaign: StoredCampaign
  /** The form has changes that restoring would discard. */
  isUnsaved: boolean
  onRestored(): void
}

export function Versions({ campaign, isUnsaved, onRestored }: VersionsProps) {
  const { id, versaoManifesto: currentVersion } = campaign
  const [restoring, setRestoring] = useState<number>()
  const [openVersion, setOpenVersion] = useState<number>()
  const versions = useQuery({
    ...versionsQuery(id, currentVersion),
    refetchInterval: ({ state: { data } }) => (data && nextPollMs(data)) || false,
  })
  const columns: Column<Version>[] = [
    { title: 'Versão', cell: ({ versao }) => (versao === currentVersion ? `${versao} (atual)` : versao) },
    { title: 'Desde', cell: ({ createdAt }) => formatDateTime(createdAt) },
    { title: 'Escrita por', cell: ({ autor }) => autor ?? 'veio com o site' },
    {
      title: 'Assinaram esta versão',
      numeric: true,
      cell: ({ signatures }) => (signatures === null ? 'Contando...' : formatNumber(signatures)),
    },
    {
      title: 'Texto',
      cell: ({ versao }) => (
        <div className="version-actions">
          <button type="button" className="link" onClick={() => setOpenVersion(versao)}>
            Ler<span className="hidden"> a versão {versao}</span>
          </button>
          {versao !== currentVersion && (
            <button type="button" className="link" onClick={() => setRestoring(versao)}>
              Restaurar<span className="hidden"> a versão {versao}</span>
            </button>
          )}
        </div>
      ),
    },
  ]
  return (
    <section className="panel" aria-labelledby="versoes">
      <h2 id="versoes">Versões do manifesto</h2>
      <p className="faint">Cada assinatura guarda a versão que a pessoa leu. Mudar o texto cria uma versão nova.</p>
      <QueryBoundary query={versions} rows={2}>
        {({ versions: all, counted }) => (
          <>
            <Table caption="Versões do manifesto" columns={columns} rows={all} keyOf={({ versao }) => versao} />
            {counted && (
              <p className="faint">
                Assinaturas contadas em {formatDateTime(counted.at)}
                {counted.uncounted > 0 && `; ${pluralize(counted.uncounted, 'chegou', 'chegaram')} depois`}
                {counted.uncounted < 0 &&
                  `; ${pluralize(-counted.uncounted, 'foi retirada', 'foram retiradas')} depois`}
                .
              </p>
            )}
          </>
        )}
      </QueryBoundary>
      {restoring !== undefined && (
        <Restoration
          campaign={campaign}
          versao={restoring}
          isUnsaved={isUnsaved}
          onRestored={onRestored}
          onClose={() => setRestoring(undefined)}
        />
      )}
      {openVersion !== undefined && (
        <VersionText id={id} versao={openVersion} onClose={() => setOpenVersion(undefined)} />
      )}
    </section>
  )
}

interface RestorationProps extends VersionsProps {
  versao: number
  onClose(): void
}

function Restoration({ campaign, versao, isUnsaved, onRestored, onClose }: RestorationProps) {
  const { id, revisao } = campaign
  const { change, problem } = useCampaignChange(() =>
    callAdmin(restoreVersion, { params: { id: String(id), versao: String(versao) }, body: { revisao } }),
  )
  if (isUnsaved)
    return (
      <Dialog title={`Restaurar a versão ${versao}`} onClose={onClose}>
        <p>Há mudanças não salvas no formulário. Salve ou desfaça antes de restaurar um texto antigo.</p>
      </Dialog>
    )
  return (
    <Confirmation
      title={`Restaurar a versão ${versao}`}
      question={`O texto da versão ${versao} vira o texto da página, como uma versão nova. Nenhuma versão é apagada.`}
      action="Restaurar"
      busy={change.isPending}
      problem={problem}
      onConfirm={() =>
        change.mutate(undefined, {
          onSuccess() {
            onRestored()
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}

function VersionText({ id, versao, onClose }: { id: number; versao: number; onClose(): void }) {
  const text = useQuery(versionTextQuery(id, versao))
  return (
    <Dialog title={`Manifesto, versão ${versao}`} onClose={onClose}>
      <QueryBoundary query={text}>{({ html }) => <Manifesto html={html} />}</QueryBoundary>
    </Dialog>
  )
}
