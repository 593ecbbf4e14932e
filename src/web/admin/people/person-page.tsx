// The page of one person: workflow, notes, all records of the mailbox, conversations and e-mails, and the erasure.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import {
  erasePerson,
  genderNames,
  kindLabels,
  type NewsConsent,
  type OriginImport,
  type OtherRecord,
  type OwnConversation,
  type PeopleKind,
  type PersonDetails,
  peopleKinds,
  tasksOf,
} from '#contract/admin/people.ts'
import { fillPath } from '#contract/endpoint.ts'
import { formatPhone } from '#contract/phone.ts'
import { callAdmin, errorMessage, isNotFound } from '#web/admin/api/client.ts'
import { EraseEverything } from '#web/admin/people/erase-everything.tsx'
import { formatStatus } from '#web/admin/people/people-labels.ts'
import { personQuery, refreshPeopleExcept, useCampaignTitles } from '#web/admin/people/people-queries.ts'
import { PersonEmails } from '#web/admin/people/person-emails.tsx'
import { PersonNotes } from '#web/admin/people/person-notes.tsx'
import { ReservedData } from '#web/admin/people/reserved-data.tsx'
import { WhatsappButton } from '#web/admin/people/whatsapp-button.tsx'
import { WorkflowPanel } from '#web/admin/people/workflow-panel.tsx'
import { DescriptionList } from '#web/admin/ui/description-list.tsx'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './person-page.css'

const formatConsent: Record<NewsConsent, string> = {
  aceita: 'Aceita receber',
  'nao-aceita': 'Não aceita',
  saiu: 'Saiu: não mandar novidades',
}

const { eraseFailed } = adminMessages.people

export function PersonPage() {
  const { tipo, id = '' } = useParams()
  const kind = peopleKinds.find((name) => name === tipo)
  if (!kind) return <Navigate to={adminPaths.people} replace />
  return <PersonView key={`${kind} ${id}`} tipo={kind} id={id} />
}

function PersonView({ tipo, id }: { tipo: PeopleKind; id: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { search = '' } = (useLocation().state ?? {}) as { search?: string }
  const listPath = fillPath(adminPaths.peopleOfKind, { tipo }) + search
  const [isConfirming, setConfirming] = useState(false)
  const details = useQuery(personQuery(tipo, id))
  const campaignTitle = useCampaignTitles()
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
  const isErased = useRef(false)
  function leave(): void {
    isErased.current = true
    void navigate(listPath)
  }
  const person = details.data?.pessoa
  const back = (
    <Link className="back" to={listPath}>
      {kindLabels[tipo].list}
    </Link>
  )

  return (
    <Page
      title={person?.nome ?? kindLabels[tipo].list}
      above={back}
      {...(person && { intro: introOf(tipo, person, campaignTitle) })}
    >
      <QueryBoundary query={details}>
        {({ pessoa, outros, conversas, notas, emails, importacao }) => (
          <div className="person-page">
            <div className="person-work">
              <WhatsappButton tipo={tipo} person={pessoa} />
              <WorkflowPanel tipo={tipo} id={id} workflow={pessoa} />
              <PersonNotes tipo={tipo} id={id} notes={notas} isErased={() => isErased.current} />
            </div>
            <div className="person-facts">
              <section className="panel" aria-labelledby="dados">
                <h2 id="dados">Dados</h2>
                <DescriptionList items={factsOf(tipo, pessoa, campaignTitle)} />
                {importacao && <ImportedFrom origin={importacao} />}
              </section>
              {tipo === 'lideres' && <ReservedData id={id} masked={pessoa.cpf ?? ''} />}
              <Others others={outros} search={search} campaignTitle={campaignTitle} />
              <Conversations conversations={conversas} />
              <PersonEmails emails={emails} campaignTitle={campaignTitle} />
              <div className="actions">
                <button type="button" className="button button-danger" onClick={() => setConfirming(true)}>
                  Apagar só este registro
                </button>
                <EraseEverything tipo={tipo} id={id} onErased={leave} />
              </div>
            </div>
          </div>
        )}
      </QueryBoundary>
      {isConfirming && (
        <Confirmation
          title="Apagar o registro"
          question={questionOf(tipo, details.data?.conversas.length ?? 0)}
          action="Apagar"
          busy={erasure.isPending}
          {...(erasure.error && { problem: errorMessage(erasure.error, eraseFailed) })}
          // This callback does not run after unmount: a user who has navigated elsewhere stays there.
          onConfirm={() => erasure.mutate(undefined, { onSuccess: leave })}
          onClose={isNotFound(erasure.error) ? leave : () => setConfirming(false)}
        />
      )}
    </Page>
  )
}

type CampaignTitle = ReturnType<typeof useCampaignTitles>

const introOf = (tipo: PeopleKind, { createdAt, campanha }: PersonDetails, campaignTitle: CampaignTitle) =>
  [kindLabels[tipo].one, campanha && campaignTitle(campanha), `desde ${formatDateTime(createdAt)}`]
    .filter(Boolean)
    .join(' · ')

function ImportedFrom({ origin }: { origin: OriginImport }) {
  return (
    <>
      <p>
        <span className="badge">importado</span>{' '}
        <Link to={fillPath(adminPaths.peopleImport, { id: String(origin.id) })}>{origin.arquivo}</Link>, em{' '}
        {formatDateTime(origin.quando)}
      </p>
      <DescriptionList
        items={[
          ['Origem da lista', origin.origem],
          ['Base legal', origin.baseLegal],
        ]}
      />
    </>
  )
}

interface OthersProps {
  others: OtherRecord[] | null
  search: string
  campaignTitle: CampaignTitle
}

function Others({ others, search, campaignTitle }: OthersProps) {
  if (others?.length === 0) return null
  return (
    <section className="panel" aria-labelledby="outros">
      <h2 id="outros">Com o mesmo e-mail</h2>
      {others ? (
        <ul className="person-others">
          {others.map(({ tipo, id, campanha, status, createdAt }) => (
            <li key={id}>
              <Link to={fillPath(adminPaths.person, { tipo, id })} state={{ search }}>
                {[
                  kindLabels[tipo].list,
                  campanha && campaignTitle(campanha),
                  formatStatus(status),
                  formatDateTime(createdAt),
                ]
                  .filter(Boolean)
                  .join(' · ')}
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
    <section className="panel" aria-labelledby="conversas">
      <h2 id="conversas">No chatbot, com o mesmo telefone ou e-mail</h2>
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
      ? 'Esta assinatura sai do site, da contagem e da planilha.'
      : 'Este cadastro sai do site e da planilha.'
  const conversationsText = conversations > 0 ? ' O que ela disse ao chatbot não sai junto.' : ''
  return `${erasedText} Outros registros dela ficam.${conversationsText} Não dá para desfazer.`
}

function factsOf(tipo: PeopleKind, person: PersonDetails, campaignTitle: CampaignTitle): [string, ReactNode][] {
  const { email, whatsapp, cidade, estado, campanha, tarefas, genero, confirmadoEm } = person
  const confirmed = confirmadoEm ? `Confirmado em ${formatDateTime(confirmadoEm)}` : 'Não confirmado'
  // Other forms are confirmed only for the news.
  const isAsked = tipo === 'assinaturas' || confirmadoEm || person.novidades === 'aceita'
  return [
    [
      'E-mail',
      <a key="email" href={`mailto:${email}`}>
        <EmailText email={email} />
      </a>,
    ],
    ...(isAsked ? ([['Confirmação', confirmed]] satisfies [string, ReactNode][]) : []),
    ['WhatsApp', formatPhone(whatsapp)],
    ['Cidade', cidade && `${cidade} (${estado})`],
    ['Campanha', campanha && campaignTitle(campanha)],
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
