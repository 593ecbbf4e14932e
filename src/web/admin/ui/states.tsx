// What is shown while something is on its way, when it did not come, and when there is nothing.
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { sentenceOf } from '#web/admin/api.ts'
import { givingUp } from '#web/api/client.ts'

export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <div className="waiting" role="status">
      <span className="hidden">Carregando...</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never change
        <span key={row} className="skeleton" />
      ))}
    </div>
  )
}

interface FailureProps {
  children: ReactNode
  onRetry?: () => void
}

export function Failure({ children, onRetry }: FailureProps) {
  return (
    <div className="failure" role="alert">
      <p>{children}</p>
      {onRetry && (
        <button type="button" className="button small" onClick={onRetry}>
          Tentar de novo
        </button>
      )}
    </div>
  )
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>
}

interface ShownProps<Data> {
  query: UseQueryResult<Data>
  failed?: string
  rows?: number
  children(data: Data): ReactNode
}

/** What a query brought, or what stands in its place. What came before stays while newer is on its way. */
export function Shown<Data>({ query, failed = adminMessages.list.failed, rows, children }: ShownProps<Data>) {
  const { data, error, refetch } = query
  return (
    <>
      {error && <Failure onRetry={() => void refetch()}>{sentenceOf(error, failed, failed)}</Failure>}
      {data !== undefined ? children(data) : !error && <Waiting {...(rows && { rows })} />}
    </>
  )
}

/** Where there is no menu around it. */
export function AreaProblem() {
  return (
    <main className="login">
      <PageProblem />
    </main>
  )
}

/** A page broke, or its script did not come: after a new version its files have other names, so a fresh start helps. */
export function PageProblem() {
  const [reached, setReached] = useState(true)
  useEffect(() => {
    void isReachable().then(setReached)
  }, [])
  if (!reached) return <NoConnection />
  return (
    <>
      <h1>Algo deu errado nesta página</h1>
      <p>Recarregue a página. Se continuar, avise quem cuida do servidor.</p>
      <div className="actions">
        <button type="button" className="button" onClick={() => location.reload()}>
          Recarregar
        </button>
        <a className="button" href="/admin/dashboard">
          Ir para o painel
        </a>
      </div>
    </>
  )
}

/** Loaded anew only when that can work: else the browser's own page would take the place of the area. */
function NoConnection() {
  const [trying, setTrying] = useState(false)
  async function tryAgain(): Promise<void> {
    setTrying(true)
    if (await isReachable()) location.reload()
    setTrying(false)
  }
  return (
    <>
      <h1>Sem conexão com a internet</h1>
      <p role="status">{trying ? 'Tentando...' : 'Esta página ainda não foi carregada. Verifique a sua internet.'}</p>
      <div className="actions">
        <button type="button" className="button" onClick={() => void tryAgain()}>
          Tentar de novo
        </button>
      </div>
    </>
  )
}

/** Whatever the server answers, it is there. On a network that swallows everything nobody is left waiting. */
const isReachable = () =>
  fetch('/admin', { method: 'HEAD', cache: 'no-store', signal: givingUp(10_000) }).then(
    () => true,
    () => false,
  )
