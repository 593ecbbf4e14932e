// Setup instructions for the BotConversa webhook. The secret is displayed on request, and the audit log records it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revealWebhookToken } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { webhookHintQuery } from '#web/admin/conversations/conversation-queries.ts'
import { Copyable } from '#web/admin/ui/copyable.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'

const { conversations: texts, list } = adminMessages

/** Stays open once it is open: new data must not close it while the user is copying. */
export function WebhookHint({ startsOpen }: { startsOpen: boolean }) {
  const [opened, setOpened] = useState(startsOpen)
  if (startsOpen && !opened) setOpened(true)
  const hint = useQuery(webhookHintQuery)
  return (
    <details className="panel webhook" open={opened}>
      <summary>Como ligar o BotConversa a este site</summary>
      <p>
        No fluxo do BotConversa, acrescente um bloco de integração que envia um POST para o endereço abaixo a cada
        mensagem. Troque as variáveis pelas do seu robô; o que ficar sem valor é ignorado.
      </p>
      <QueryBoundary query={hint} rows={3}>
        {({ endereco, cabecalho, exemplo, configurado }) => (
          <>
            {!configurado && <p className="notice">{texts.noSecret}</p>}
            <Copyable label="Endereço" text={endereco} />
            <Copyable label="Cabeçalho com o segredo" text={cabecalho} />
            {configurado && <Secret />}
            <Copyable label="Corpo (JSON)" text={exemplo} />
          </>
        )}
      </QueryBoundary>
    </details>
  )
}

function Secret() {
  const revealing = useMutation({
    mutationFn: () => callAdmin(revealWebhookToken),
    onError: (error) => showToast({ title: 'Erro', text: errorMessage(error, list.failed), tone: 'error' }),
  })
  const copyButton = useFocusAfterRemoval(revealing.data)
  if (revealing.data) return <Copyable ref={copyButton} label="Segredo" text={revealing.data.token} />
  return (
    <div className="copyable">
      <p className="copyable-name">Segredo</p>
      <button type="button" className="button small" disabled={revealing.isPending} onClick={() => revealing.mutate()}>
        Mostrar o segredo
      </button>
      <p className="faint">Fica registrado que você o viu.</p>
      <p role="alert" className="error">
        {revealing.error && errorMessage(revealing.error, list.failed)}
      </p>
    </div>
  )
}
