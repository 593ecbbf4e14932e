// The columns of the list, for each kind of people.
import { Link } from 'react-router'
import { type NewsConsent, newsConsents, type PeopleKind, type Person, tasksOf } from '#contract/admin/people.ts'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import type { Column } from '#web/admin/ui/table.tsx'

/** URL of a record: the same list, with the dialog of the record open. */
type RecordUrl = (id: string) => string

export function columnsOf(tipo: PeopleKind, recordUrl: RecordUrl): Column<Person>[] {
  const name: Column<Person> = {
    title: 'Nome',
    cell: ({ id, nome }) => (
      <Link className="person-name" to={recordUrl(id)} preventScrollReset>
        {nome}
      </Link>
    ),
  }
  const when: Column<Person> = {
    title: 'Quando',
    cell: ({ createdAt }) => <span className="person-short">{formatDateTime(createdAt)}</span>,
  }
  return [name, contact, ...columnsByKind[tipo], news, when]
}

const contact: Column<Person> = {
  title: 'Contato',
  cell: ({ email, whatsapp }) => (
    <span className="person-contact">
      <EmailText email={email} />
      <span>{whatsapp}</span>
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

const columnsByKind: Record<PeopleKind, Column<Person>[]> = {
  assinaturas: [
    city,
    { title: 'Campanha', cell: ({ campanha }) => campanha },
    {
      title: 'Confirmação',
      cell: ({ confirmadoEm }) =>
        confirmadoEm ? (
          <span className="badge badge-good person-short">Confirmado</span>
        ) : (
          <span className="faint person-short">Não confirmado</span>
        ),
    },
  ],
  voluntarios: [tasks('voluntarios', 'Tarefas')],
  influenciadores: [city, tasks('influenciadores', 'Tarefas')],
  lideres: [city, { title: 'CPF', cell: ({ cpf }) => cpf }, tasks('lideres', 'Disponibilidade')],
}
