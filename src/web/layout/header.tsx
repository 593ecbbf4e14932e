// Where one can go. On a phone the links open from a button, without any script: the browser's own popover.
import { useCampaignLinks, useVisit } from '#web/api/visit.ts'
import { Logo, MenuIcon } from '#web/ui/icons.tsx'
import './header.css'

export function Header() {
  const { site, path } = useVisit()
  const links = [
    ['/', 'Início'],
    ['/influenciadoresCOMLULA', 'Influenciadores'],
    ...useCampaignLinks('header').map(({ href, text }) => [href, text]),
    ['/comunidade', 'Comunidade'],
  ]
  return (
    <header className="header">
      <a className="brand" href="/">
        <Logo />
        <span>{site.movimento}</span>
      </a>
      <button className="menu-button" type="button" popoverTarget="menu">
        <MenuIcon /> <span>Menu</span>
      </button>
      <nav className="menu" id="menu" popover="auto" aria-label="Principal">
        <ul>
          {links.map(([href, text]) => (
            <li key={href}>
              <a href={href} aria-current={href === path ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <a className="button button-yellow participate" href="/">
        Participar
      </a>
    </header>
  )
}
