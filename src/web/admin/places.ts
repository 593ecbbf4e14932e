// Where one can go in the area: the menu and the cards of the panel, in this order.
export interface Place {
  path: string
  name: string
  about: string
}

export const places: Place[] = [
  { path: '/admin/conteudos', name: 'Conteúdos', about: 'Cartazes para compartilhar e baixar' },
  { path: '/admin/campanhas', name: 'Campanhas', about: 'Escrever petições e pôr no ar' },
  { path: '/admin/pessoas', name: 'Pessoas', about: 'Assinaturas, voluntários, influenciadores e líderes' },
  { path: '/admin/numeros', name: 'Números', about: 'Assinaturas por hora, dia, estado e cidade' },
  { path: '/admin/botconversa', name: 'Conversas', about: 'O que as pessoas disseram ao robô no WhatsApp' },
  { path: '/admin/equipe', name: 'Equipe', about: 'Quem entra aqui, e a sua senha' },
  { path: '/admin/registro', name: 'Registro', about: 'Quem fez o quê, e quando' },
  { path: '/admin/sistema', name: 'Sistema', about: 'Banco de dados, entregas, e-mails e falhas' },
]
