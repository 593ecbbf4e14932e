// Site settings: names, links and figures that an operator changes without changing code.
import * as z from 'zod/mini'

const text = (max: number) =>
  z
    .string('precisa ser um texto')
    .check(z.minLength(1, 'não pode ficar vazio'), z.maxLength(max, `aceita no máximo ${max} caracteres`))

const link = z
  .string('precisa ser um endereço')
  .check(
    z.maxLength(500, 'aceita no máximo 500 caracteres'),
    z.regex(/^https:\/\/[^\s]+$/, 'precisa começar com https://'),
  )

export const siteSchema = z.strictObject({
  movimento: text(60),
  lema: text(160),
  hashtag: text(40).check(z.regex(/^#[\p{L}\p{N}_]+$/u, 'precisa começar com # e não ter espaços')),
  deputado: z.strictObject({
    slug: text(60).check(z.regex(/^[a-z0-9-]+$/, 'aceita só letras minúsculas, números e hífen')),
    nome: text(120),
  }),
  contato: z.strictObject({
    email: text(254).check(z.regex(/^[^\s@]+@[^\s@]+$/, 'precisa ser um e-mail')),
    whatsapp: text(15).check(z.regex(/^\d{10,15}$/, 'aceita só números, com o código do país')),
    mensagem: text(200),
  }),
  /** Whether people with an unconfirmed signature get one reminder after two days. */
  lembrete: z.boolean('precisa ser true ou false'),
  grupos: z.strictObject({ geral: link, criadores: link, influenciadores: link }),
  perfis: z.strictObject({ instagram: link, facebook: link, twitter: link, tiktok: link, youtube: link }),
  comunidade: z.strictObject({
    formulario: link,
    membros: text(20),
    assinaturas: text(20),
    cidades: text(20),
    origem: text(300),
  }),
  /** For administrators only. `empresa` is the path segment after the host in the chatbot's URLs. */
  botconversa: z.optional(
    z.strictObject({
      empresa: text(60).check(z.regex(/^[\w-]+$/, 'aceita só letras, números, hífen e sublinhado')),
    }),
  ),
})

export type Site = z.output<typeof siteSchema>

export const defaultSite: Site = {
  movimento: 'Mobiliza',
  lema: 'Do celular para as ruas: gente comum fazendo política junto.',
  hashtag: '#Mobiliza',
  deputado: { slug: 'fulano', nome: 'Fulano de Tal' },
  contato: {
    email: 'contato@example.org',
    whatsapp: '5500000000000',
    mensagem: 'Olá! Vim pelo site e quero participar.',
  },
  lembrete: true,
  grupos: {
    geral: 'https://example.org/grupo-geral',
    criadores: 'https://example.org/grupo-criadores',
    influenciadores: 'https://example.org/grupo-influenciadores',
  },
  perfis: {
    instagram: 'https://example.org/instagram',
    facebook: 'https://example.org/facebook',
    twitter: 'https://example.org/twitter',
    tiktok: 'https://example.org/tiktok',
    youtube: 'https://example.org/youtube',
  },
  comunidade: {
    formulario: 'https://example.org/formulario-comunidade',
    membros: '53.011+',
    assinaturas: '54.292+',
    cidades: '1.097+',
    origem: 'Números informados pela coordenação do movimento.',
  },
}
