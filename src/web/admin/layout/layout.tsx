// Frame of the admin pages: menu, current user and logout.
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { readSession } from '#contract/admin/session.ts'
import { RecentLoginDialog } from '#web/admin/account/recent-login-dialog.tsx'
import { callAdmin } from '#web/admin/api/client.ts'
import { endCurrentSession } from '#web/admin/api/log-out.ts'
import { currentItem, type NavigationItem, navigationFor } from '#web/admin/layout/navigation.ts'
import { onRoleRefused, setCurrentUser, useRole, useToken } from '#web/admin/session/session.ts'
import { AccountIcon, CloseIcon, DashboardIcon, ExternalIcon, LogOutIcon, MenuIcon } from '#web/admin/ui/icons.tsx'
import { Loading } from '#web/admin/ui/query-boundary.tsx'
import { site } from '#web/admin/ui/site.ts'
import { SiteLogo } from '#web/admin/ui/site-logo.tsx'
import { guardUnsaved } from '#web/admin/ui/unsaved-guard.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import '#web/ui/skip-link.css'
import './layout.css'

const dashboard: Pick<NavigationItem, 'path' | 'name' | 'icon'> = {
  path: adminPaths.dashboard,
  name: 'Painel',
  icon: DashboardIcon,
}

const account = { name: 'Minha conta', icon: AccountIcon }

export function Layout() {
  const main = useRef<HTMLElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  const lastPathname = useRef(pathname)
  const { role, username } = useCurrentUser()
  const current = pathname === adminPaths.account ? account : ((role && currentItem(pathname, role)) ?? dashboard)

  // A new page starts at its top. The focus moves with it, so that screen readers start there too.
  useLayoutEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    setOpen(false)
    scrollTo({ top: 0, behavior: 'instant' })
    // The menu above closes only after this, so scrolling would leave the page at a wrong position.
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  useEffect(() => {
    if (!open) return
    function closeOnEscape({ key }: KeyboardEvent): void {
      if (key !== 'Escape') return
      setOpen(false)
      menuButton.current?.focus()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [open])

  return (
    <div className="area">
      <a className="skip-link" href="#conteudo">
        Pular para o conteúdo
      </a>
      <header className="area-head">
        <NavLink to={adminPaths.dashboard} className="area-logo" aria-label="Painel da administração">
          <SiteLogo size={36} />
          <span className="area-name">{site.movimento}</span>
        </NavLink>
        <p className="area-place">
          <current.icon size={18} />
          <span>{current.name}</span>
        </p>
        <button
          ref={menuButton}
          type="button"
          className="button small area-menu"
          aria-expanded={open}
          aria-controls="lugares"
          onClick={() => setOpen(!open)}
        >
          {open ? <CloseIcon size={18} /> : <MenuIcon size={18} />}
          Menu
        </button>
        <nav id="lugares" aria-label="Administração" data-open={open || undefined}>
          <div>
            <ul>
              <MenuItem {...dashboard} />
            </ul>
            {role &&
              navigationFor(role).map(({ name, items }, index) => (
                <div key={name} className="area-group">
                  <p id={`grupo-${index}`}>{name}</p>
                  <ul aria-labelledby={`grupo-${index}`}>
                    {items.map((item) => (
                      <MenuItem key={item.path} {...item} />
                    ))}
                  </ul>
                </div>
              ))}
          </div>
          <UserMenu username={username} />
        </nav>
      </header>
      <main id="conteudo" ref={main} tabIndex={-1}>
        <Suspense fallback={<Loading />}>{role ? <Outlet /> : <Loading />}</Suspense>
      </main>
      <RecentLoginDialog />
      <Toaster />
    </div>
  )
}

function MenuItem({ path, name, icon: Icon }: typeof dashboard) {
  return (
    <li>
      <NavLink to={path}>
        <Icon />
        {name}
      </NavLink>
    </li>
  )
}

/** Without an answer of the server and a stored role, all pages are shown: each displays the failure of its calls. */
function useCurrentUser() {
  const token = useToken()
  const role = useRole()
  const session = useQuery({ queryKey: ['sessao', token], queryFn: () => callAdmin(readSession), retry: 2 })
  const { data, dataUpdatedAt, refetch } = session
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same data after another read corrects a role that another tab has stored
  useEffect(() => {
    if (data) setCurrentUser({ username: data.username, role: data.role, token })
  }, [data, dataUpdatedAt, token])
  useEffect(() => onRoleRefused(() => void refetch()), [refetch])
  return { username: data?.username, role: role ?? (session.isError ? 'coordenacao' : undefined) }
}

function UserMenu({ username }: { username: string | undefined }) {
  return (
    <div className="user-menu">
      <span className="user-name">{username}</span>
      <NavLink to={adminPaths.account}>
        <AccountIcon size={18} />
        Minha conta
      </NavLink>
      <button type="button" className="button small" onClick={() => guardUnsaved(endCurrentSession)}>
        <LogOutIcon size={18} />
        Sair
      </button>
      <a href="/" target="_blank" rel="noreferrer">
        <ExternalIcon size={18} />
        Ver o site
      </a>
    </div>
  )
}
