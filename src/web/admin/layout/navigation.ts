// The menu of the admin area, in groups. The dashboard shows a card for each item.
import { adminPaths } from '#contract/admin/paths.ts'
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
  path: string
  name: string
  description: string
  icon: IconComponent
}

interface NavigationGroup {
  name: string
  items: NavigationItem[]
}

/** The menu and the cards of the dashboard, in display order. */
export const navigation: NavigationGroup[] = [
  {
    name: 'Mobilização',
    items: [
      {
        path: adminPaths.contents,
        name: 'Conteúdos',
        description: 'Cartazes para compartilhar e baixar',
        icon: ContentsIcon,
      },
      {
        path: adminPaths.campaigns,
        name: 'Campanhas',
        description: 'Escrever petições e pôr no ar',
        icon: CampaignIcon,
      },
      {
        path: adminPaths.news,
        name: 'Novidades',
        description: 'Contar o que aconteceu, na página e por e-mail',
        icon: NewsIcon,
      },
      {
        path: adminPaths.numbers,
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
        path: adminPaths.people,
        name: 'Pessoas',
        description: 'Assinaturas, voluntários, influenciadores e líderes',
        icon: PeopleIcon,
      },
      {
        path: adminPaths.conversations,
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
        path: adminPaths.site,
        name: 'Site',
        description: 'Nome, logo, grupos de WhatsApp, redes e menu',
        icon: SiteIcon,
      },
      { path: adminPaths.team, name: 'Equipe', description: 'Quem entra aqui, e a sua senha', icon: TeamIcon },
      { path: adminPaths.auditLog, name: 'Registro', description: 'Quem fez o quê, e quando', icon: AuditLogIcon },
      {
        path: adminPaths.system,
        name: 'Sistema',
        description: 'Banco de dados, entregas, e-mails e falhas',
        icon: SystemIcon,
      },
    ],
  },
]

/** The item of a path or of a page below it. */
export function currentItem(pathname: string): NavigationItem | undefined {
  return navigation.flatMap(({ items }) => items).find(({ path }) => `${pathname}/`.startsWith(`${path}/`))
}
