// All versions of the manifesto: since when, by which author, and how many people signed each.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { listVersions } from '#contract/admin/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { versionsQuery, versionTextQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
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

export function Versions({ id, currentVersion }: { id: number; currentVersion: number }) {
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
        <button type="button" className="link" onClick={() => setOpenVersion(versao)}>
          Ler<span className="hidden"> a versão {versao}</span>
        </button>
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
      {openVersion !== undefined && (
        <VersionText id={id} versao={openVersion} onClose={() => setOpenVersion(undefined)} />
      )}
    </section>
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
