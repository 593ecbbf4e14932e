// The panel: one card for each thing that can be done here.
import { Link } from 'react-router'
import { SystemPanel } from '#web/admin/system/system-panel.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import './dashboard-page.css'

const cards: { path: string; name: string; about: string }[] = [
  { path: '/admin/numeros', name: 'Números', about: 'Assinaturas por hora, dia, estado e cidade' },
  { path: '/admin/equipe', name: 'Equipe', about: 'Quem entra aqui, e a sua senha' },
  { path: '/admin/registro', name: 'Registro', about: 'Quem fez o quê, e quando' },
  { path: '/admin/sistema', name: 'Sistema', about: 'Banco de dados, entregas, e-mails e falhas' },
  { path: '/admin/botconversa', name: 'Conversas', about: 'O que as pessoas disseram ao robô no WhatsApp.' },
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
      <SystemPanel />
    </Page>
  )
}
