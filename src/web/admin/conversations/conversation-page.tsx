// One conversation, read as a chat, with what is known about the person and where it stands.
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'react-router'
import { readConversation } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { Chat } from '#web/admin/conversations/chat.tsx'
import { CustomFields } from '#web/admin/conversations/custom-fields.tsx'
import { Removal } from '#web/admin/conversations/removal.tsx'
import { StatusChange } from '#web/admin/conversations/status-change.tsx'
import { fullTimeOf } from '#web/admin/conversations/times.ts'
import { nameOf } from '#web/admin/conversations/words.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Failure, Waiting } from '#web/admin/ui/states.tsx'
import './conversations.css'

const { conversations: sentences } = adminMessages

export function ConversationPage() {
  const { id = '' } = useParams()
  const { search = '' } = (useLocation().state ?? {}) as { search?: string }
  const { data, error, refetch } = useQuery({
    queryKey: ['conversas', id],
    // Asked again whenever something is said; that somebody opened it is told by the messages' call.
    queryFn: () => callAdmin(readConversation, { params: { id }, alone: true }),
  })
  const conversation = data?.conversa
  const list = `/admin/botconversa${search}`
  const back = (
    <Link className="back" to={list}>
      ← Conversas
    </Link>
  )
  return (
    <Page title={conversation ? nameOf(conversation) : 'Conversa'} above={back}>
      {error && <Failure onRetry={() => void refetch()}>{sentenceOf(error, sentences.failed)}</Failure>}
      {!conversation && !error && <Waiting />}
      {conversation && (
        <div className="conversation">
          <Chat key={id} id={id} person={nameOf(conversation)} />
          <aside className="panel about" aria-label="Sobre a conversa">
            <StatusChange conversation={conversation} />
            {conversation.liveChat && (
              <a className="button small" href={conversation.liveChat} target="_blank" rel="noreferrer">
                Abrir no BotConversa
              </a>
            )}
            <dl>
              <Known name="WhatsApp" value={conversation.whatsapp} />
              <Known name="E-mail" value={conversation.email} />
              <Known name="Assinante" value={conversation.subscriberId} />
              <Known name="Origem" value={conversation.origem} />
              <Known name="Primeiro contato" value={fullTimeOf(conversation.createdAt)} />
              <Known name="Última atualização" value={fullTimeOf(conversation.updatedAt)} />
            </dl>
            {conversation.tags.length > 0 && (
              <>
                <h2>Tags</h2>
                <ul className="tags">
                  {conversation.tags.map((tag) => (
                    <li key={tag} className="badge">
                      {tag}
                    </li>
                  ))}
                </ul>
              </>
            )}
            <CustomFields fields={conversation.customFields} />
            <Removal id={id} list={list} />
          </aside>
        </div>
      )}
    </Page>
  )
}

function Known({ name, value }: { name: string; value: string | null }) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
