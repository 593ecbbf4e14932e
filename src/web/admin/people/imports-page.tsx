// Uploads a list of people, and shows earlier imports.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { kindLabels, type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { type ImportSummary, importLimits, stageImport } from '#contract/admin/people-import.ts'
import { fillPath } from '#contract/endpoint.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { uploadAdmin } from '#web/admin/api/upload.ts'
import { importsQuery } from '#web/admin/people/import-queries.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import '#web/forms/fields/field.css'
import './imports.css'

const { imports: texts } = adminMessages

export const importStatuses: Record<ImportSummary['status'], string> = {
  staged: 'À espera',
  running: 'Em andamento',
  done: 'Terminada',
  failed: 'Parou com erro',
  cancelled: 'Cancelada',
}

export function ImportsPage() {
  const imports = useQuery(importsQuery)
  const back = (
    <Link className="back" to={adminPaths.people}>
      Pessoas
    </Link>
  )
  return (
    <Page
      title="Importar lista"
      above={back}
      intro="De um arquivo CSV ou XLSX, com títulos na primeira linha. Importar não envia nenhum e-mail."
    >
      <UploadForm />
      <section aria-labelledby="anteriores" className="imports-earlier">
        <h2 id="anteriores">Importações</h2>
        <QueryBoundary query={imports}>
          {({ importacoes }) =>
            importacoes.length === 0 ? (
              <EmptyState>Nenhuma lista importada ainda.</EmptyState>
            ) : (
              <Table caption="Importações" columns={columns} rows={importacoes} keyOf={({ id }) => id} />
            )
          }
        </QueryBoundary>
      </section>
    </Page>
  )
}

const columns: Column<ImportSummary>[] = [
  {
    title: 'Arquivo',
    cell: ({ id, arquivo }) => (
      <Link className="import-name" to={fillPath(adminPaths.peopleImport, { id: String(id) })}>
        {arquivo}
      </Link>
    ),
  },
  { title: 'Situação', cell: ({ status }) => importStatuses[status] },
  {
    title: 'Aceitas',
    numeric: true,
    cell: ({ aceitas, total }) => `${formatNumber(aceitas)} de ${formatNumber(total)}`,
  },
  { title: 'Lista', cell: ({ tipo }) => kindLabels[tipo].list },
  { title: 'Quem', cell: ({ autor }) => autor },
  { title: 'Quando', cell: ({ criadaEm }) => formatDateTime(criadaEm) },
]

function UploadForm() {
  const navigate = useNavigate()
  const [fraction, setFraction] = useState(0)
  const [problem, setProblem] = useState('')
  const sending = useMutation({
    mutationFn: ({ tipo, file }: { tipo: PeopleKind; file: File }) => {
      const form = new FormData()
      form.set('tipo', tipo)
      form.set('nome', file.name.slice(-200))
      form.set('arquivo', file)
      return uploadAdmin(stageImport, { form, onProgress: setFraction })
    },
    onSuccess: ({ id }) => void navigate(fillPath(adminPaths.peopleImport, { id: String(id) })),
    onError: (error) => setProblem(errorMessage(error, texts.readFailed)),
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const file = data.get('arquivo')
    setFraction(0)
    if (!(file instanceof File) || file.size === 0) setProblem(texts.file)
    else if (file.size > importLimits.bytes) setProblem(texts.tooLarge)
    else {
      setProblem('')
      sending.mutate({ tipo: data.get('tipo') as PeopleKind, file })
    }
  }

  return (
    <form className="panel import-upload" onSubmit={submit} noValidate>
      <div className="field">
        <label htmlFor="tipo">Lista de destino</label>
        <select id="tipo" name="tipo" disabled={sending.isPending}>
          {peopleKinds.map((tipo) => (
            <option key={tipo} value={tipo}>
              {kindLabels[tipo].list}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="arquivo">Arquivo</label>
        <input
          id="arquivo"
          name="arquivo"
          type="file"
          accept=".csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          disabled={sending.isPending}
          aria-describedby="arquivo-dica"
        />
        <p id="arquivo-dica" className="hint">
          Até 25 MB e 200.000 linhas. Na próxima tela você confere as colunas antes de importar.
        </p>
      </div>
      {sending.isPending && (
        <progress aria-label="Envio do arquivo" max={1} value={fraction < 1 ? fraction : undefined} />
      )}
      <p role="alert" className="error">
        {problem}
      </p>
      <button type="submit" className="button button-yellow" disabled={sending.isPending}>
        {sending.isPending ? (fraction < 1 ? 'Enviando...' : 'Lendo o arquivo...') : 'Enviar arquivo'}
      </button>
    </form>
  )
}
