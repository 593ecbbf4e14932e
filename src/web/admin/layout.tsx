// The frame of the area: where one can go, who is in, and the way out.
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import { logOut, readSession } from '#contract/admin/session.ts'
import { callAdmin } from '#web/admin/api.ts'
import { places } from '#web/admin/places.ts'
import { leave, noteWhoIsIn, readToken, useToken } from '#web/admin/session/session.ts'
import { Waiting } from '#web/admin/ui/states.tsx'
import { askBefore } from '#web/admin/ui/unsaved-guard.tsx'
import { ApiFailure } from '#web/api/client.ts'
import { Logo } from '#web/ui/icons.tsx'
import { Toaster } from '#web/ui/toast.tsx'

const everywhere = [{ path: '/admin/dashboard', name: 'Painel' }, ...places]

export function Layout() {
  const main = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  const arrived = useRef(pathname)

  // A new page is read from its beginning, also by those who hear it.
  useLayoutEffect(() => {
    if (arrived.current === pathname) return
    arrived.current = pathname
    setOpen(false)
    scrollTo({ top: 0, behavior: 'instant' })
    main.current?.focus()
  }, [pathname])

  return (
    <div className="area">
      <a className="skip-link" href="#conteudo">
        Pular para o conteúdo
      </a>
      <header className="area-head">
        <NavLink to="/admin/dashboard" className="area-logo" aria-label="Painel da administração">
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
            {everywhere.map(({ path, name }) => (
              <li key={path}>
                <NavLink to={path}>{name}</NavLink>
              </li>
            ))}
          </ul>
          <Whoever />
        </nav>
      </header>
      <main id="conteudo" ref={main} tabIndex={-1}>
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </main>
      <Toaster />
    </div>
  )
}

function Whoever() {
  const token = useToken()
  const session = useQuery({ queryKey: ['sessao', token], queryFn: () => callAdmin(readSession), retry: 2 })
  const username = session.data?.username
  useEffect(() => {
    if (username) noteWhoIsIn({ username, token })
  }, [username, token])
  return (
    <div className="whoever">
      <span>{username}</span>
      <button type="button" className="button small" onClick={() => askBefore(goOut)}>
        Sair
      </button>
      <a href="/" target="_blank" rel="noreferrer">
        Ver o site
      </a>
    </div>
  )
}

/**
 * On a bad network nobody waits for the server to hear of it. Without one the token goes from this machine at least, and
 * the server hears of it once the network is back, if the tab is still open then.
 */
function goOut(): void {
  const token = readToken()
  const tell = () => callAdmin(logOut, { token })
  const isAnswer = (error: unknown) => error instanceof ApiFailure
  const tellLater = () => addEventListener('online', () => void tell().catch(() => {}), { once: true })
  tell().catch((error) => {
    if (isAnswer(error)) return
    // The network may be back before the call has failed.
    if (navigator.onLine) tell().catch((again) => isAnswer(again) || tellLater())
    else tellLater()
  })
  leave()
}
