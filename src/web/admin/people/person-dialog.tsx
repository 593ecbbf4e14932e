// The record of one person without the reserved data, and its erasure when the person asks for it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import {
  erasePerson,
  genderNames,
  kindLabels,
  type NewsConsent,
  type OtherRecord,
  type OwnConversation,
  type PeopleKind,
  type PersonDetails,
  tasksOf,
} from '#contract/admin/people.ts'
import { fillPath } from '#contract/endpoint.ts'
import { callAdmin, errorMessage, isNotFound } from '#web/admin/api/client.ts'
import { whatsappLink } from '#web/admin/people/people-labels.ts'
import { personQuery, refreshPeopleExcept } from '#web/admin/people/people-queries.ts'
import { ReservedData } from '#web/admin/people/reserved-data.tsx'
import { DescriptionList } from '#web/admin/ui/description-list.tsx'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

const formatConsent: Record<NewsConsent, string> = {
  aceita: 'Aceita receber',
  'nao-aceita': 'Não aceita',
  saiu: 'Saiu: não mandar novidades',
}

const eraseFailed = 'Não foi possível apagar os dados.'

interface PersonDialogProps {
  tipo: PeopleKind
  id: string
  onClose(): void
  /** The record is deleted, and so is the link that opened this dialog. */
  onErased(): void
}

export function PersonDialog({ tipo, id, onClose, onErased }: PersonDialogProps) {
  const queries = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const details = useQuery(personQuery(tipo, id))
  const refreshLists = () => void refreshPeopleExcept(queries, id)
  const erasure = useMutation({
    mutationFn: () => callAdmin(erasePerson, { params: { tipo, id } }),
    onSuccess({ message }) {
      showToast({ title: adminMessages.people.erased, text: message, tone: 'success' })
      refreshLists()
    },
    onError(error) {
      showToast({ title: 'Erro', text: errorMessage(error, eraseFailed), tone: 'error' })
      if (isNotFound(error)) refreshLists()
    },
  })

  return (
    <Dialog title={details.data?.pessoa.nome ?? kindLabels[tipo].list} onClose={onClose}>
      <QueryBoundary query={details}>
        {({ pessoa, outros, conversas }) => (
          <>
            <DescriptionList items={factsOf(tipo, pessoa)} />
            {tipo === 'lideres' && <ReservedData id={id} masked={pessoa.cpf ?? ''} />}
            <Others others={outros} />
            <Conversations conversations={conversas} />
            <div className="actions">
              <button type="button" className="button button-danger" onClick={() => setConfirming(true)}>
                Apagar os dados desta pessoa
              </button>
            </div>
          </>
        )}
      </QueryBoundary>
      {isConfirming && (
        <Confirmation
          title="Apagar os dados"
          question={questionOf(tipo, details.data?.conversas.length ?? 0)}
          action="Apagar"
          busy={erasure.isPending}
          {...(erasure.error && { problem: errorMessage(erasure.error, eraseFailed) })}
          // This callback does not run after unmount: a user who has navigated elsewhere stays there.
          onConfirm={() => erasure.mutate(undefined, { onSuccess: onErased })}
          onClose={isNotFound(erasure.error) ? onErased : () => setConfirming(false)}
        />
      )}
    </Dialog>
  )
}

function Others({ others }: { others: OtherRecord[] | null }) {
  if (others?.length === 0) return null
  return (
    <section>
      <h3>Com o mesmo e-mail</h3>
      {others ? (
        <ul className="person-others">
          {others.map(({ tipo, id, campanha, createdAt }) => (
            <li key={id}>
              <Link to={`${fillPath(adminPaths.peopleOfKind, { tipo })}?registro=${id}`}>
                {[kindLabels[tipo].list, campanha, formatDateTime(createdAt)].filter(Boolean).join(' · ')}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p>{adminMessages.people.preparing}</p>
      )}
    </section>
  )
}

function Conversations({ conversations }: { conversations: OwnConversation[] }) {
  if (conversations.length === 0) return null
  return (
    <section>
      <h3>No chatbot, com o mesmo telefone ou e-mail</h3>
      <ul className="person-others">
        {conversations.map(({ id, ultimaEm }) => (
          <li key={id}>
            <Link to={fillPath(adminPaths.conversation, { id: String(id) })}>
              Conversa · {formatDateTime(ultimaEm)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function questionOf(tipo: PeopleKind, conversations: number): string {
  const erasedText =
    tipo === 'assinaturas'
      ? 'A assinatura e os dados desta pessoa saem do site, da contagem e da planilha.'
      : 'Os dados desta pessoa saem do site e da planilha.'
  const conversationsText =
    conversations > 0 ? ' O que ela disse ao chatbot não sai junto: abra a conversa para apagar.' : ''
  return `${erasedText}${conversationsText} Não dá para desfazer.`
}

function factsOf(tipo: PeopleKind, person: PersonDetails): [string, ReactNode][] {
  const { email, whatsapp, cidade, estado, tarefas, genero, confirmadoEm } = person
  const confirmed = confirmadoEm ? `Confirmado em ${formatDateTime(confirmadoEm)}` : 'Não confirmado'
  return [
    [
      'E-mail',
      <a key="email" href={`mailto:${email}`}>
        <EmailText email={email} />
      </a>,
    ],
    ...(tipo === 'assinaturas' ? ([['Confirmação', confirmed]] satisfies [string, ReactNode][]) : []),
    [
      'WhatsApp',
      <a key="whatsapp" href={whatsappLink(whatsapp)} target="_blank" rel="noreferrer">
        {whatsapp}
      </a>,
    ],
    ['Cidade', cidade && `${cidade} (${estado})`],
    ['Campanha', person.campanha],
    ['Redes sociais', person.redesSociais],
    ['Gênero', genero && (genderNames[genero] ?? genero)],
    ['Profissão', person.profissao],
    [
      tipo === 'lideres' ? 'Disponibilidade' : 'Tarefas',
      tarefas?.map((task) => tasksOf[tipo][task] ?? task).join(', '),
    ],
    ['Experiência', person.experiencia],
    ['Motivação', person.motivacao],
    ['Novidades', formatConsent[person.novidades]],
    ['Origem', person.origem],
    ['Recebido em', formatDateTime(person.createdAt)],
  ]
}
