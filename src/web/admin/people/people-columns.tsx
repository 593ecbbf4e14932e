// What the list of each kind of people shows, column by column.
import { Link } from 'react-router'
import { type NewsConsent, newsConsents, type PeopleKind, type Person, tasksOf } from '#contract/admin/people.ts'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import type { Column } from '#web/admin/ui/table.tsx'

/** Where the details of a record are: the same list, with the record over it. */
export type AddressOf = (id: string) => string

export function columnsOf(tipo: PeopleKind, addressOf: AddressOf): Column<Person>[] {
  const name: Column<Person> = {
    title: 'Nome',
    cell: ({ id, nome }) => (
      <Link className="person-name" to={addressOf(id)} preventScrollReset>
        {nome}
      </Link>
    ),
  }
  const when: Column<Person> = {
    title: 'Quando',
    cell: ({ createdAt }) => <span className="person-short">{momentInWords(createdAt)}</span>,
  }
  return [name, contact, ...own[tipo], news, when]
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
const place: Column<Person> = { title: 'Cidade', cell: ({ cidade, estado }) => `${cidade} (${estado})` }
const tasks = (tipo: PeopleKind, title: string): Column<Person> => ({
  title,
  cell: ({ tarefas }) => tarefas?.map((task) => tasksOf[tipo][task] ?? task).join(', '),
})

const own: Record<PeopleKind, Column<Person>[]> = {
  assinaturas: [
    place,
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
  influenciadores: [place, tasks('influenciadores', 'Tarefas')],
  lideres: [place, { title: 'CPF', cell: ({ cpf }) => cpf }, tasks('lideres', 'Disponibilidade')],
}
