import { Link, Outlet } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { mayOpen } from '#contract/admin/roles.ts'
import { useRole } from '#web/admin/session/session.ts'
import { Page } from '#web/admin/ui/page.tsx'

/** Shows a sentence in place of a page that the role may not open. The server refuses its calls in any case. */
export function RequireRole({ page }: { page: keyof typeof adminPaths }) {
  const role = useRole()
  return !role || mayOpen(role, page) ? <Outlet /> : <NotAllowed />
}

function NotAllowed() {
  return (
    <Page
      title="Só para a coordenação"
      intro="A sua conta é de conteúdo: cuida de conteúdos, campanhas, novidades da página e números. Aqui há dados de pessoas ou ajustes do site. Se precisar desta parte, peça a alguém da coordenação."
    >
      <div className="actions">
        <Link className="button" to={adminPaths.dashboard}>
          Ir para o painel
        </Link>
      </div>
    </Page>
  )
}
