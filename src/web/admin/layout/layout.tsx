// Frame of the admin pages: menu, current user and logout.
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { logOut, readSession } from '#contract/admin/session.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { navigation } from '#web/admin/layout/navigation.ts'
import { endSession, readToken, setCurrentUser, useToken } from '#web/admin/session/session.ts'
import { Loading } from '#web/admin/ui/query-boundary.tsx'
import { guardUnsaved } from '#web/admin/ui/unsaved-guard.tsx'
import { ApiFailure } from '#web/api/client.ts'
import { Logo } from '#web/ui/icons.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import '#web/ui/skip-link.css'
import './layout.css'

const menuItems = [{ path: adminPaths.dashboard, name: 'Painel' }, ...navigation]

export function Layout() {
  const main = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  const lastPathname = useRef(pathname)

  // A new page starts at its top. The focus moves with it, so that screen readers start there too.
  useLayoutEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    setOpen(false)
    scrollTo({ top: 0, behavior: 'instant' })
    // The menu above closes only after this, so scrolling would leave the page at a wrong position.
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div className="area">
      <a className="skip-link" href="#conteudo">
        Pular para o conteúdo
      </a>
      <header className="area-head">
        <NavLink to={adminPaths.dashboard} className="area-logo" aria-label="Painel da administração">
          <Logo size={32} />
        </NavLink>
        <button
          type="button"
          className="button small area-menu"
          aria-expanded={open}
          aria-controls="lugares"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
        <nav id="lugares" aria-label="Administração" data-open={open || undefined}>
          <ul>
            {menuItems.map(({ path, name }) => (
              <li key={path}>
                <NavLink to={path}>{name}</NavLink>
              </li>
            ))}
          </ul>
          <UserMenu />
        </nav>
      </header>
      <main id="conteudo" ref={main} tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Toaster />
    </div>
  )
}

function UserMenu() {
  const token = useToken()
  const session = useQuery({ queryKey: ['sessao', token], queryFn: () => callAdmin(readSession), retry: 2 })
  const username = session.data?.username
  useEffect(() => {
    if (username) setCurrentUser({ username, token })
  }, [username, token])
  return (
    <div className="user-menu">
      <span>{username}</span>
      <button type="button" className="button small" onClick={() => guardUnsaved(endCurrentSession)}>
        Sair
      </button>
      <a href="/" target="_blank" rel="noreferrer">
        Ver o site
      </a>
    </div>
  )
}

/**
 * Does not wait for the server, because the network may be bad. Without a network the token is at least removed from
 * this machine; the server is notified when the network is back, if the tab is still open.
 */
function endCurrentSession(): void {
  const token = readToken()
  const notifyServer = () => callAdmin(logOut, { token })
  const isServerReply = (error: unknown) => error instanceof ApiFailure
  const notifyWhenOnline = () => addEventListener('online', () => void notifyServer().catch(() => {}), { once: true })
  notifyServer().catch((error) => {
    if (isServerReply(error)) return
    // The network may have come back before the call failed; no `online` event follows in that case.
    if (navigator.onLine) notifyServer().catch((retryError) => isServerReply(retryError) || notifyWhenOnline())
    else notifyWhenOnline()
  })
  endSession()
}
