// One record, whole but for what is reserved; and the way to erase it when the person asks.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  erasePerson,
  genderNames,
  type NewsConsent,
  type OtherRecord,
  type OwnConversation,
  type PeopleKind,
  type PersonDetails,
  readPerson,
  tasksOf,
} from '#contract/admin/people.ts'
import { callAdmin, sentenceOf, wasGone } from '#web/admin/api.ts'
import { ReservedData } from '#web/admin/people/reserved-data.tsx'
import { kindNames, whatsappLink } from '#web/admin/people/words.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { Facts } from '#web/admin/ui/facts.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Shown } from '#web/admin/ui/states.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

const consentInWords: Record<NewsConsent, string> = {
  aceita: 'Aceita receber',
  'nao-aceita': 'Não aceita',
  saiu: 'Saiu: não mandar novidades',
}

const eraseFailed = 'Não foi possível apagar os dados.'

interface PersonDialogProps {
  tipo: PeopleKind
  id: string
  onClose(): void
  /** It is gone, and what led here with it. */
  onErased(): void
}

export function PersonDialog({ tipo, id, onClose, onErased }: PersonDialogProps) {
  const queries = useQueryClient()
  const [erasing, setErasing] = useState(false)
  const details = useQuery({
    queryKey: ['pessoas', tipo, 'registro', id],
    queryFn: () => callAdmin(readPerson, { params: { tipo, id } }),
    // Nothing of it is kept for the next to look.
    gcTime: 0,
  })
  const readListAgain = () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'pessoas' && !queryKey.includes(id),
    })
  const erasure = useMutation({
    mutationFn: () => callAdmin(erasePerson, { params: { tipo, id } }),
    onSuccess({ message }) {
      showToast({ title: adminMessages.people.erased, text: message, tone: 'success' })
      readListAgain()
    },
    onError(error) {
      showToast({ title: 'Erro', text: sentenceOf(error, eraseFailed), tone: 'error' })
      if (wasGone(error)) readListAgain()
    },
  })

  return (
    <Dialog title={details.data?.pessoa.nome ?? kindNames[tipo].list} onClose={onClose}>
      <Shown query={details}>
        {({ pessoa, outros, conversas }) => (
          <>
            <Facts facts={factsOf(tipo, pessoa)} />
            {tipo === 'lideres' && <ReservedData id={id} masked={pessoa.cpf ?? ''} />}
            <Others others={outros} />
            <Conversations conversations={conversas} />
            <div className="actions">
              <button type="button" className="button button-danger" onClick={() => setErasing(true)}>
                Apagar os dados desta pessoa
              </button>
            </div>
          </>
        )}
      </Shown>
      {erasing && (
        <Confirmation
          title="Apagar os dados"
          question={questionOf(tipo, details.data?.conversas.length ?? 0)}
          action="Apagar"
          busy={erasure.isPending}
          {...(erasure.error && { problem: sentenceOf(erasure.error, eraseFailed) })}
          // Who has gone elsewhere meanwhile stays there.
          onConfirm={() => erasure.mutate(undefined, { onSuccess: onErased })}
          onClose={wasGone(erasure.error) ? onErased : () => setErasing(false)}
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
              <Link to={`/admin/pessoas/${tipo}?registro=${id}`}>
                {[kindNames[tipo].list, campanha, momentInWords(createdAt)].filter(Boolean).join(' · ')}
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
            <Link to={`/admin/botconversa/${id}`}>Conversa · {momentInWords(ultimaEm)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function questionOf(tipo: PeopleKind, conversations: number): string {
  const whole =
    tipo === 'assinaturas'
      ? 'A assinatura e os dados desta pessoa saem do site, da contagem e da planilha.'
      : 'Os dados desta pessoa saem do site e da planilha.'
  const rest = conversations > 0 ? ' O que ela disse ao chatbot não sai junto: abra a conversa para apagar.' : ''
  return `${whole}${rest} Não dá para desfazer.`
}

function factsOf(tipo: PeopleKind, person: PersonDetails): [string, ReactNode][] {
  const { email, whatsapp, cidade, estado, tarefas, genero, confirmadoEm } = person
  const confirmed = confirmadoEm ? `Confirmado em ${momentInWords(confirmadoEm)}` : 'Não confirmado'
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
    ['Novidades', consentInWords[person.novidades]],
    ['Recebido em', momentInWords(person.createdAt)],
  ]
}
