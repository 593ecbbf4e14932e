// Content of the footer: site links, social networks, contact, and the note about cookies.
import { activeCampaigns, liveCampaigns } from '#web/api/campaigns.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { useCampaignLinks } from '#web/layout/campaign-links.ts'

const profileNames = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  twitter: 'Twitter',
  tiktok: 'TikTok',
  youtube: 'YouTube',
} as const
const names = Object.entries(profileNames) as [keyof typeof profileNames, string][]

export function FooterContent() {
  const { site, year, profiles } = usePageContext()
  const [mailbox, domain] = site.contato.email.split('@')
  const campaigns = useCampaignLinks('footer')
  const others = liveCampaigns(useQuery(activeCampaigns).data).filter(
    ({ path }) => !campaigns.some(({ href }) => href === path),
  )
  return (
    <>
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
            {campaigns.map(({ href, text }) => (
              <li key={href}>
                <a href={href}>{text}</a>
              </li>
            ))}
            <li>
              <a href="/conteudos-destaque">Conteúdos em destaque</a>
            </li>
            <li>
              <a href="/metodologia">Metodologia</a>
            </li>
            <li>
              <a href="/privacidade">Privacidade</a>
            </li>
            <li>
              <a href="/meus-dados">Meus dados</a>
            </li>
          </ul>
        </section>
        <section>
          <h2>Redes sociais</h2>
          <ul>
            {names.map(
              ([profile, name]) =>
                profiles?.[profile] && (
                  <li key={profile}>
                    <a href={profiles[profile]} target="_blank" rel="noopener noreferrer">
                      {name}
                    </a>
                  </li>
                ),
            )}
          </ul>
        </section>
        <section>
          <h2>Contato</h2>
          <ul>
            <li>
              {/* Narrow columns break the address after the @, not in a word. */}
              <a href={`mailto:${site.contato.email}`}>
                {mailbox}@<wbr />
                {domain}
              </a>
            </li>
            <li>
              <a href={site.grupos.geral} target="_blank" rel="noopener noreferrer">
                Grupo do WhatsApp
              </a>
            </li>
          </ul>
        </section>
        <section>
          <h2>Campanhas</h2>
          <ul>
            {others.map(({ path, titulo }) => (
              <li key={path}>
                <a href={path}>{titulo}</a>
              </li>
            ))}
            <li>
              <a href="/campanhas">Todas as campanhas</a>
            </li>
          </ul>
        </section>
      </div>
      <p>{`© ${year} ${site.movimento}. Este site não utiliza cookies.`}</p>
    </>
  )
}
