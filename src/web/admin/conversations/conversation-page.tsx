// One conversation: the chat, the data of the person and the status.
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { Chat } from '#web/admin/conversations/chat.tsx'
import { conversationName } from '#web/admin/conversations/conversation-name.ts'
import { conversationQuery } from '#web/admin/conversations/conversation-queries.ts'
import { CustomFields } from '#web/admin/conversations/custom-fields.tsx'
import { fullTimeOf } from '#web/admin/conversations/format-time.ts'
import { Removal } from '#web/admin/conversations/removal.tsx'
import { StatusChange } from '#web/admin/conversations/status-change.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { Failure, Loading } from '#web/admin/ui/query-boundary.tsx'
import './conversations.css'

const { conversations: texts } = adminMessages

export function ConversationPage() {
  const { id = '' } = useParams()
  const { search = '' } = (useLocation().state ?? {}) as { search?: string }
  const { data, error, refetch } = useQuery(conversationQuery(id))
  const conversation = data?.conversa
  const listPath = adminPaths.conversations + search
  const back = (
    <Link className="back" to={listPath}>
      Conversas
    </Link>
  )
  return (
    <Page title={conversation ? conversationName(conversation) : 'Conversa'} above={back}>
      {error && <Failure onRetry={() => void refetch()}>{errorMessage(error, texts.failed)}</Failure>}
      {!conversation && !error && <Loading />}
      {conversation && (
        <div className="conversation">
          <Chat key={id} id={id} person={conversationName(conversation)} />
          <aside className="panel about" aria-label="Sobre a conversa">
            <StatusChange conversation={conversation} />
            {conversation.liveChat && (
              <a className="button small" href={conversation.liveChat} target="_blank" rel="noreferrer">
                Abrir no BotConversa
              </a>
            )}
            <dl>
              <Detail name="WhatsApp" value={conversation.whatsapp} />
              <Detail name="E-mail" value={conversation.email} />
              <Detail name="Assinante" value={conversation.subscriberId} />
              <Detail name="Origem" value={conversation.origem} />
              <Detail name="Primeiro contato" value={fullTimeOf(conversation.createdAt)} />
              <Detail name="Última atualização" value={fullTimeOf(conversation.updatedAt)} />
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
            <Removal id={id} listPath={listPath} />
          </aside>
        </div>
      )}
    </Page>
  )
}

function Detail({ name, value }: { name: string; value: string | null }) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
