// Who we are, where else we are, and what we do not do: cookies.
import { useVisit } from '#web/api/visit.ts'
import './footer.css'

const profileNames = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  twitter: 'Twitter',
  tiktok: 'TikTok',
  youtube: 'YouTube',
} as const

export function Footer() {
  const { site, year } = useVisit()
  const profiles = Object.entries(profileNames) as [keyof typeof profileNames, string][]
  return (
    <footer className="footer">
      <div className="footer-columns">
        <section>
          <h2>Sobre</h2>
          <ul>
            <li>
              <a href="/#quem-somos">Quem somos</a>
            </li>
            <li>
              <a href="/#objetivos">Objetivos</a>
            </li>
            <li>
              <a href="/peticao">Petição contra os juros altos</a>
            </li>
            <li>
              <a href="/privacidade">Privacidade</a>
            </li>
          </ul>
        </section>
        <section>
          <h2>Redes sociais</h2>
          <ul>
            {profiles.map(([profile, name]) => (
              <li key={profile}>
                <a href={site.perfis[profile]} target="_blank" rel="noopener noreferrer">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>Contato</h2>
          <ul>
            <li>
              <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>
            </li>
            <li>
              <a href={site.grupos.geral} target="_blank" rel="noopener noreferrer">
                Grupo do WhatsApp
              </a>
            </li>
          </ul>
        </section>
      </div>
      <p>
        © {year} {site.movimento}. Este site não utiliza cookies.
      </p>
    </footer>
  )
}
