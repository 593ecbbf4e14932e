import { adminPaths } from '#contract/admin/paths.ts'

interface NavigationItem {
  path: string
  name: string
  description: string
}

/** The menu and the cards of the dashboard, in display order. */
export const navigation: NavigationItem[] = [
  { path: adminPaths.contents, name: 'Conteúdos', description: 'Cartazes para compartilhar e baixar' },
  { path: adminPaths.campaigns, name: 'Campanhas', description: 'Escrever petições e pôr no ar' },
  { path: adminPaths.people, name: 'Pessoas', description: 'Assinaturas, voluntários, influenciadores e líderes' },
  { path: adminPaths.numbers, name: 'Números', description: 'Assinaturas por hora, dia, estado e cidade' },
  { path: adminPaths.conversations, name: 'Conversas', description: 'O que as pessoas disseram ao robô no WhatsApp' },
  { path: adminPaths.team, name: 'Equipe', description: 'Quem entra aqui, e a sua senha' },
  { path: adminPaths.auditLog, name: 'Registro', description: 'Quem fez o quê, e quando' },
  { path: adminPaths.system, name: 'Sistema', description: 'Banco de dados, entregas, e-mails e falhas' },
]
