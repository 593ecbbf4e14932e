// The menu of the admin area, in groups. The dashboard shows a card for each item.
import { adminPaths } from '#contract/admin/paths.ts'
import { type AdminRole, mayOpen } from '#contract/admin/roles.ts'
import {
  AuditLogIcon,
  CampaignIcon,
  ContentsIcon,
  ConversationIcon,
  type IconComponent,
  NewsIcon,
  NumbersIcon,
  PeopleIcon,
  SiteIcon,
  SystemIcon,
  TeamIcon,
} from '#web/admin/ui/icons.tsx'

export interface NavigationItem {
  page: keyof typeof adminPaths
  path: string
  name: string
  description: string
  icon: IconComponent
}

interface NavigationGroup {
  name: string
  items: NavigationItem[]
}

const at = (page: NavigationItem['page']) => ({ page, path: adminPaths[page] })

/** All items, in display order. */
const navigation: NavigationGroup[] = [
  {
    name: 'Mobilização',
    items: [
      {
        ...at('contents'),
        name: 'Conteúdos',
        description: 'Cartazes para compartilhar e baixar',
        icon: ContentsIcon,
      },
      {
        ...at('campaigns'),
        name: 'Campanhas',
        description: 'Escrever petições e pôr no ar',
        icon: CampaignIcon,
      },
      {
        ...at('news'),
        name: 'Novidades',
        description: 'Contar o que aconteceu, na página e por e-mail',
        icon: NewsIcon,
      },
      {
        ...at('numbers'),
        name: 'Números',
        description: 'Assinaturas por hora, dia, estado e cidade',
        icon: NumbersIcon,
      },
    ],
  },
  {
    name: 'Contatos',
    items: [
      {
        ...at('people'),
        name: 'Pessoas',
        description: 'Assinaturas, voluntários, influenciadores e líderes',
        icon: PeopleIcon,
      },
      {
        ...at('conversations'),
        name: 'Conversas',
        description: 'O que as pessoas disseram ao robô no WhatsApp',
        icon: ConversationIcon,
      },
    ],
  },
  {
    name: 'Organização',
    items: [
      {
        ...at('site'),
        name: 'Site',
        description: 'Nome, logo, grupos de WhatsApp, redes e menu',
        icon: SiteIcon,
      },
      {
        ...at('team'),
        name: 'Equipe',
        description: 'Quem entra na área administrativa, e com que papel',
        icon: TeamIcon,
      },
      { ...at('auditLog'), name: 'Registro', description: 'Quem fez o quê, e quando', icon: AuditLogIcon },
      {
        ...at('system'),
        name: 'Sistema',
        description: 'Banco de dados, entregas, e-mails e falhas',
        icon: SystemIcon,
      },
    ],
  },
]

/** What `conteudo` has of a page, where it is less than all. */
const contentItems: Partial<Record<NavigationItem['page'], Partial<NavigationItem>>> = {
  news: { description: 'Contar o que aconteceu, na página da campanha' },
}

/** The menu and the cards of the dashboard: what the role may open. */
export function navigationFor(role: AdminRole): NavigationGroup[] {
  if (role === 'coordenacao') return navigation
  return navigation
    .map(({ name, items }) => ({
      name,
      items: items.filter(({ page }) => mayOpen(role, page)).map((item) => ({ ...item, ...contentItems[item.page] })),
    }))
    .filter(({ items }) => items.length > 0)
}

/** The item of a path or of a page below it. */
export function currentItem(pathname: string, role: AdminRole): NavigationItem | undefined {
  return navigationFor(role)
    .flatMap(({ items }) => items)
    .find(({ path }) => `${pathname}/`.startsWith(`${path}/`))
}
