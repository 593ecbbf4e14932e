// Every address of the admin area: the server answers them, the area draws them. Others are not found.
export const adminAddresses = [
  '/admin',
  '/admin/dashboard',
  '/admin/conteudos',
  '/admin/campanhas',
  '/admin/campanhas/nova',
  '/admin/campanhas/:id',
  '/admin/pessoas',
  '/admin/pessoas/:tipo',
  '/admin/numeros',
  '/admin/numeros/:slug',
  '/admin/botconversa',
  '/admin/botconversa/:id',
  '/admin/equipe',
  '/admin/registro',
  '/admin/sistema',
] as const

export type AdminAddress = (typeof adminAddresses)[number]
