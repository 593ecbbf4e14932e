import { Link } from 'react-router'
import { navigation } from '#web/admin/layout/navigation.ts'
import { SystemPanel } from '#web/admin/system/system-panel.tsx'
import { SettingsIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import './dashboard-page.css'

export function DashboardPage() {
  return (
    <Page title="Painel">
      <ul className="cards">
        {navigation
          .flatMap(({ items }) => items)
          .map(({ path, name, description, icon: Icon }) => (
            <li key={path}>
              <Link className="panel" to={path}>
                <h2>
                  <Icon size={24} /> {name}
                </h2>
                <p>{description}</p>
              </Link>
            </li>
          ))}
        <li>
          <div className="panel" aria-disabled="true">
            <h2>
              <SettingsIcon size={24} /> Configurações
            </h2>
            <p>Em breve</p>
          </div>
        </li>
      </ul>
      <SystemPanel />
    </Page>
  )
}
