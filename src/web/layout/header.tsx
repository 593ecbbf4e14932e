// Content of the header. On a phone a button opens the links in a popover, without scripts.
// On a wide screen the links are in one row, and links that do not fit open from "Mais".
import { usePageContext } from '#web/api/page-context.ts'
import { isLongBrand, linksInRow } from '#web/layout/links-in-row.ts'
import { Logo, MenuIcon } from '#web/ui/icons.tsx'

export function HeaderContent() {
  const { site, path, menu: links = [] } = usePageContext()
  const texts = links.map(({ text }) => text)
  const inRow = linksInRow(texts, site.movimento)
  const items = links.map(({ href, text }, index) => (
    <li key={`${href} ${text}`} className={index < inRow ? undefined : 'more'}>
      <a href={href} aria-current={href === path ? 'page' : undefined}>
        {text}
      </a>
    </li>
  ))
  return (
    <>
      <a className="brand" href="/">
        {site.logo ? <img src={site.logo} width={40} height={40} alt="" /> : <Logo />}
        <span className={isLongBrand(site.movimento) ? 'brand-long' : undefined}>{site.movimento}</span>
      </a>
      <button className="menu-button" type="button" popoverTarget="menu">
        <MenuIcon /> <span>Menu</span>
      </button>
      <nav className="menu" id="menu" popover="auto" aria-label="Principal">
        <ul>{items}</ul>
        {inRow < links.length && (
          <details className="more">
            <summary>Mais</summary>
            <ul>{items.slice(inRow)}</ul>
          </details>
        )}
      </nav>
      <a className="button button-yellow participate" href="/">
        Participar
      </a>
    </>
  )
}
