// The panel: one card for each thing that can be done here.
import { Link } from 'react-router'
import { Page } from '#web/admin/ui/page.tsx'
import './dashboard-page.css'

const cards: { path: string; name: string; about: string }[] = [
  {
    path: '/admin/pessoas',
    name: 'Pessoas',
    about: 'Assinaturas, voluntários, influenciadores e líderes: buscar, filtrar e exportar.',
  },
]

export function DashboardPage() {
  return (
    <Page title="Painel">
      <ul className="cards">
        {cards.map(({ path, name, about }) => (
          <li key={path}>
            <Link className="panel" to={path}>
              <h2>{name}</h2>
              <p>{about}</p>
            </Link>
          </li>
        ))}
        <li>
          <div className="panel" aria-disabled="true">
            <h2>Configurações</h2>
            <p>Em breve</p>
          </div>
        </li>
      </ul>
    </Page>
  )
}
