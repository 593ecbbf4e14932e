// What to type into BotConversa so that it tells this site about conversations. The secret is shown on request, which is put on record.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readWebhookHint, revealWebhookToken } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { Copyable } from '#web/admin/ui/copyable.tsx'
import { Shown } from '#web/admin/ui/states.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useSuccessor } from '#web/admin/ui/use-successor.ts'

const { conversations: sentences, list } = adminMessages

/** Once open, it stays so: what arrives meanwhile must not close it under who is copying. */
export function WebhookHint({ startsOpen }: { startsOpen: boolean }) {
  const [opened, setOpened] = useState(startsOpen)
  if (startsOpen && !opened) setOpened(true)
  const hint = useQuery({
    queryKey: ['conversas', 'webhook'],
    queryFn: () => callAdmin(readWebhookHint, { alone: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <details className="panel webhook" open={opened}>
      <summary>Como ligar o BotConversa a este site</summary>
      <p>
        No fluxo do BotConversa, acrescente um bloco de integração que envia um POST para o endereço abaixo a cada
        mensagem. Troque as variáveis pelas do seu robô; o que ficar sem valor é ignorado.
      </p>
      <Shown query={hint} rows={3}>
        {({ endereco, cabecalho, exemplo, configurado }) => (
          <>
            {!configurado && <p className="notice">{sentences.noSecret}</p>}
            <Copyable label="Endereço" text={endereco} />
            <Copyable label="Cabeçalho com o segredo" text={cabecalho} />
            {configurado && <Secret />}
            <Copyable label="Corpo (JSON)" text={exemplo} />
          </>
        )}
      </Shown>
    </details>
  )
}

function Secret() {
  const revealing = useMutation({
    mutationFn: () => callAdmin(revealWebhookToken),
    onError: (error) => showToast({ title: 'Erro', text: sentenceOf(error, list.failed), tone: 'error' }),
  })
  const copy = useSuccessor(revealing.data)
  if (revealing.data) return <Copyable ref={copy} label="Segredo" text={revealing.data.token} />
  return (
    <div className="copyable">
      <p className="copyable-name">Segredo</p>
      <button type="button" className="button small" disabled={revealing.isPending} onClick={() => revealing.mutate()}>
        Mostrar o segredo
      </button>
      <p className="faint">Fica registrado que você o viu.</p>
      <p role="alert" className="error">
        {revealing.error && sentenceOf(revealing.error, list.failed)}
      </p>
    </div>
  )
}
