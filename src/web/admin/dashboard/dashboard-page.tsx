// The panel: one card for each thing that can be done here.
import { Link } from 'react-router'
import { places } from '#web/admin/places.ts'
import { SystemPanel } from '#web/admin/system/system-panel.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import './dashboard-page.css'

export function DashboardPage() {
  return (
    <Page title="Painel">
      <ul className="cards">
        {places.map(({ path, name, about }) => (
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
      <SystemPanel />
    </Page>
  )
}
