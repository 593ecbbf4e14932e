// The columns of the list, for each kind of people.
import { Link } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { type NewsConsent, newsConsents, type PeopleKind, type Person, tasksOf } from '#contract/admin/people.ts'
import type { WorkflowStatus } from '#contract/admin/people-workflow.ts'
import { fillPath } from '#contract/endpoint.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatStatus } from '#web/admin/people/people-labels.ts'
import type { Selection } from '#web/admin/people/use-selection.ts'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import type { Column } from '#web/admin/ui/table.tsx'

interface ListPlace {
  tipo: PeopleKind
  /** Query string of the list, for the way back. */
  search: string
  selection: Pick<Selection, 'has' | 'toggle' | 'isEverything'>
  campaignTitle(slug: string): string
}

/** A phone shows the first three. */
export function columnsOf({ tipo, search, selection, campaignTitle }: ListPlace): Column<Person>[] {
  const name: Column<Person> = {
    title: 'Nome',
    cell: ({ id, nome }) => (
      <span className="person-select">
        <input
          type="checkbox"
          aria-label={`Selecionar ${nome}`}
          checked={selection.has(id)}
          disabled={selection.isEverything}
          onChange={() => selection.toggle(id)}
        />
        <Link className="person-name" to={fillPath(adminPaths.person, { tipo, id })} state={{ search }}>
          {nome}
        </Link>
      </span>
    ),
  }
  const when: Column<Person> = {
    title: 'Quando',
    cell: ({ createdAt }) => formatDateTime(createdAt),
  }
  const campaign: Column<Person> = {
    title: 'Campanha',
    cell: ({ campanha }) => campanha && campaignTitle(campanha),
  }
  const own = tipo === 'assinaturas' ? [city, campaign, confirmation] : columnsByKind[tipo]
  return [name, contact, workflow, ...own, news, when]
}

const statusTone: Record<WorkflowStatus, string> = {
  novo: 'badge',
  'em-contato': 'badge badge-wait',
  ativo: 'badge badge-good',
  arquivado: 'badge badge-muted',
}
const workflow: Column<Person> = {
  title: 'Situação',
  cell: ({ status, responsavel, etiquetas }) => (
    <span className="person-status">
      <span className={statusTone[status]}>{formatStatus(status)}</span>
      {responsavel && <span className="faint">com {responsavel}</span>}
      {etiquetas.length > 0 && <span className="faint">{etiquetas.join(', ')}</span>}
    </span>
  ),
}
const contact: Column<Person> = {
  title: 'Contato',
  cell: ({ email, whatsapp }) => (
    <span className="person-contact">
      <EmailText email={email} />
      <span>{formatPhone(whatsapp)}</span>
    </span>
  ),
}
const consentTone: Record<NewsConsent, string> = { aceita: 'badge badge-good', 'nao-aceita': 'faint', saiu: 'badge' }
const news: Column<Person> = {
  title: 'Novidades',
  cell: ({ novidades }) => <span className={`${consentTone[novidades]} person-short`}>{newsConsents[novidades]}</span>,
}
const city: Column<Person> = { title: 'Cidade', cell: ({ cidade, estado }) => `${cidade} (${estado})` }
const tasks = (tipo: PeopleKind, title: string): Column<Person> => ({
  title,
  cell: ({ tarefas }) => tarefas?.map((task) => tasksOf[tipo][task] ?? task).join(', '),
})

const confirmation: Column<Person> = {
  title: 'Confirmação',
  cell: ({ confirmadoEm }) =>
    confirmadoEm ? (
      <span className="badge badge-good person-short">Confirmado</span>
    ) : (
      <span className="faint person-short">Não confirmado</span>
    ),
}

const columnsByKind: Record<Exclude<PeopleKind, 'assinaturas'>, Column<Person>[]> = {
  voluntarios: [tasks('voluntarios', 'Tarefas')],
  influenciadores: [city, tasks('influenciadores', 'Tarefas')],
  lideres: [city, { title: 'CPF', cell: ({ cpf }) => cpf }, tasks('lideres', 'Disponibilidade')],
}
