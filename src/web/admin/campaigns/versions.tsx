// Every text that people were asked to sign, since when, by whom it was written, and how many signed it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listVersions, readVersion } from '#contract/admin/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin } from '#web/admin/api.ts'
import { inWords } from '#web/admin/ui/amounts.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Shown } from '#web/admin/ui/states.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'

type Version = ReplyOf<typeof listVersions>['versions'][number]

export function Versions({ id, present }: { id: number; present: number }) {
  const [read, setRead] = useState<number>()
  const params = { id: String(id) }
  const versions = useQuery({
    queryKey: ['campanhas', id, 'versoes', present],
    queryFn: () => callAdmin(listVersions, { params }),
  })
  const columns: Column<Version>[] = [
    { title: 'Versão', cell: ({ versao }) => (versao === present ? `${versao} (atual)` : versao) },
    { title: 'Desde', cell: ({ createdAt }) => momentInWords(createdAt) },
    { title: 'Escrita por', cell: ({ autor }) => autor ?? 'veio com o site' },
    {
      title: 'Assinaram esta versão',
      numeric: true,
      cell: ({ signatures }) => inWords(signatures),
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
        {({ versions: all }) => (
          <Table caption="Versões do manifesto" columns={columns} rows={all} keyOf={({ versao }) => versao} />
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
