// Loading, error and empty states of queries and pages.
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { AlertIcon, EmptyIcon, type IconComponent, RestoreIcon } from '#web/admin/ui/icons.tsx'
import { timeoutSignal } from '#web/api/client.ts'
import './query-boundary.css'

interface LoadingProps {
  rows?: number
  /** The form of what is being loaded: a list, or a grid of cards. */
  shape?: 'rows' | 'cards'
}

/** A skeleton of what is being loaded. */
export function Loading({ rows = 4, shape = 'rows' }: LoadingProps) {
  return (
    <div className="loading" data-shape={shape} role="status">
      <span className="hidden">Carregando...</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never change
        <span key={row} className="loading-row" />
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
      <AlertIcon size={28} />
      <p>{children}</p>
      {onRetry && (
        <button type="button" className="button small" onClick={onRetry}>
          <RestoreIcon size={18} />
          Tentar de novo
        </button>
      )}
    </div>
  )
}

interface EmptyStateProps {
  icon?: IconComponent
  /** What to do about it: a button or a link. */
  action?: ReactNode
  children: ReactNode
}

export function EmptyState({ icon: Icon = EmptyIcon, action, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon size={32} />
      <div>{children}</div>
      {action && <div className="actions">{action}</div>}
    </div>
  )
}

interface QueryBoundaryProps<Data> {
  query: UseQueryResult<Data>
  failed?: string
  rows?: number
  shape?: LoadingProps['shape']
  children(data: Data): ReactNode
}

/** Renders the data of a query, or its loading or error state. Old data stays visible during a refetch. */
export function QueryBoundary<Data>({
  query,
  failed = adminMessages.list.failed,
  rows,
  shape,
  children,
}: QueryBoundaryProps<Data>) {
  const { data, error, refetch } = query
  return (
    <>
      {error && <Failure onRetry={() => void refetch()}>{errorMessage(error, failed, failed)}</Failure>}
      {data !== undefined ? children(data) : !error && <Loading {...(rows && { rows })} {...(shape && { shape })} />}
    </>
  )
}

/** For errors outside the layout, without a menu. */
export function AreaProblem() {
  return (
    <main className="login">
      <PageProblem />
    </main>
  )
}

/** A page failed, or its script did not load. A new version renames the scripts, so a reload helps. */
export function PageProblem() {
  const [reachable, setReachable] = useState(true)
  useEffect(() => {
    void isReachable().then(setReachable)
  }, [])
  if (!reachable) return <NoConnection />
  return (
    <>
      <h1>Algo deu errado nesta página</h1>
      <p>Recarregue a página. Se continuar, avise quem cuida do servidor.</p>
      <div className="actions">
        <button type="button" className="button" onClick={() => location.reload()}>
          Recarregar
        </button>
        <a className="button" href={adminPaths.dashboard}>
          Ir para o painel
        </a>
      </div>
    </>
  )
}

/** Reloads only if the server is reachable; otherwise the browser's error page would replace the admin area. */
function NoConnection() {
  const [trying, setTrying] = useState(false)
  async function retry(): Promise<void> {
    setTrying(true)
    if (await isReachable()) location.reload()
    setTrying(false)
  }
  return (
    <>
      <h1>Sem conexão com a internet</h1>
      <p role="status">{trying ? 'Tentando...' : 'Esta página ainda não foi carregada. Verifique a sua internet.'}</p>
      <div className="actions">
        <button type="button" className="button" onClick={() => void retry()}>
          Tentar de novo
        </button>
      </div>
    </>
  )
}

/** Any response will do. The timeout is for networks that drop packets silently. */
const isReachable = () =>
  fetch(adminPaths.login, { method: 'HEAD', cache: 'no-store', signal: timeoutSignal(10_000) }).then(
    () => true,
    () => false,
  )
