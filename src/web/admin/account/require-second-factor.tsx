// Asks for a second factor where the site requires one. The server refuses everything else until then.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet } from 'react-router'
import { RecentLoginDialog } from '#web/admin/account/recent-login-dialog.tsx'
import { isFactorOn, SecondFactorPanel } from '#web/admin/account/second-factor-panel.tsx'
import { secondFactorQuery } from '#web/admin/account/second-factor-query.ts'
import { endCurrentSession } from '#web/admin/api/log-out.ts'
import { currentUser, endFactorSetup, useFactorRequired } from '#web/admin/session/session.ts'
import { useTitle } from '#web/admin/ui/page.tsx'
import { site } from '#web/admin/ui/site.ts'
import { SiteLogo } from '#web/admin/ui/site-logo.tsx'
import { Toaster } from '#web/ui/toast.tsx'

/** The URL stays the same, so that the wanted page opens afterwards. */
export function RequireSecondFactor() {
  return useFactorRequired() ? <SecondFactorPage /> : <Outlet />
}

function SecondFactorPage() {
  useTitle('Ligue a verificação em duas etapas')
  const factor = useQuery(secondFactorQuery)
  // The page replaces the login or another page, so screen readers must be told.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main className="factor-page">
      <header>
        <SiteLogo size={48} />
        <h1 ref={heading} tabIndex={-1}>
          Mais uma etapa
        </h1>
        <p>{site.movimento}</p>
      </header>
      <p>
        {currentUser() ? <strong>{currentUser()}</strong> : 'Você'}, este site guarda dados de muitas pessoas. Por isso,
        todas as contas da administração usam a verificação em duas etapas. Ligue a sua para continuar.
      </p>
      <SecondFactorPanel onReady={endFactorSetup} />
      <p className="actions">
        {/* Turned on in another tab. */}
        {isFactorOn(factor.data) && (
          <button type="button" className="button button-yellow" onClick={endFactorSetup}>
            Continuar
          </button>
        )}
        <button type="button" className="button small" onClick={endCurrentSession}>
          Sair
        </button>
      </p>
      <RecentLoginDialog />
      <Toaster />
    </main>
  )
}
