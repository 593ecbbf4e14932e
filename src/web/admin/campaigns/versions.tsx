// Every text that people were asked to sign, since when, by whom it was written, and how many signed it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listVersions, readVersion } from '#contract/admin/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin } from '#web/admin/api.ts'
import { counted as amountOf, inWords } from '#web/admin/ui/amounts.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Shown } from '#web/admin/ui/states.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'

type Listed = ReplyOf<typeof listVersions>
type Version = Listed['versions'][number]

/** Until it is worth asking again. */
function waitMs({ versions, counted }: Listed): number | undefined {
  if (versions.some(({ signatures }) => signatures === null)) return 2_000
  return counted && counted.uncounted !== 0 ? 30_000 : undefined
}

export function Versions({ id, present }: { id: number; present: number }) {
  const [read, setRead] = useState<number>()
  const params = { id: String(id) }
  const key = ['campanhas', id, 'versoes', present]
  const queries = useQueryClient()
  const versions = useQuery<Listed>({
    queryKey: key,
    // Asked again by itself while the counting is behind: that keeps no session alive.
    queryFn: () => callAdmin(listVersions, { params, alone: queries.getQueryData(key) !== undefined }),
    refetchInterval: ({ state: { data } }) => (data && waitMs(data)) || false,
  })
  const columns: Column<Version>[] = [
    { title: 'Versão', cell: ({ versao }) => (versao === present ? `${versao} (atual)` : versao) },
    { title: 'Desde', cell: ({ createdAt }) => momentInWords(createdAt) },
    { title: 'Escrita por', cell: ({ autor }) => autor ?? 'veio com o site' },
    {
      title: 'Assinaram esta versão',
      numeric: true,
      cell: ({ signatures }) => (signatures === null ? 'Contando...' : inWords(signatures)),
    },
    {
      title: 'Texto',
      cell: ({ versao }) => (
        <button type="button" className="link" onClick={() => setRead(versao)}>
          Ler<span className="hidden"> a versão {versao}</span>
        </button>
      ),
    },
  ]
  return (
    <section className="panel" aria-labelledby="versoes">
      <h2 id="versoes">Versões do manifesto</h2>
      <p className="faint">Cada assinatura guarda a versão que a pessoa leu. Mudar o texto cria uma versão nova.</p>
      <Shown query={versions} rows={2}>
        {({ versions: all, counted }) => (
          <>
            <Table caption="Versões do manifesto" columns={columns} rows={all} keyOf={({ versao }) => versao} />
            {counted && (
              <p className="faint">
                Assinaturas contadas em {momentInWords(counted.at)}
                {counted.uncounted > 0 && `; ${amountOf(counted.uncounted, 'chegou', 'chegaram')} depois`}
                {counted.uncounted < 0 && `; ${amountOf(-counted.uncounted, 'foi retirada', 'foram retiradas')} depois`}
                .
              </p>
            )}
          </>
        )}
      </Shown>
      {read !== undefined && <VersionText id={id} versao={read} onClose={() => setRead(undefined)} />}
    </section>
  )
}

function VersionText({ id, versao, onClose }: { id: number; versao: number; onClose(): void }) {
  const text = useQuery({
    queryKey: ['campanhas', id, 'versoes', 'texto', versao],
    queryFn: () => callAdmin(readVersion, { params: { id: String(id), versao: String(versao) } }),
  })
  return (
    <Dialog title={`Manifesto, versão ${versao}`} onClose={onClose}>
      <Shown query={text}>{({ html }) => <Manifesto html={html} />}</Shown>
    </Dialog>
  )
}
