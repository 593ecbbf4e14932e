// The e-mail of a news item: prepared once, completed for each recipient.
import { greeting } from '#server/outbox/email/email-templates.ts'

interface NewsEmailParts {
  news: { id: number; n: number | null; titulo: string; html: string; imagem: string | null; onPage: boolean }
  campaign: { titulo: string; subtitulo: string | null; themeColor: string; slug: string; path: string }
  movimento: string
  publicUrl: string
}

export type NewsEmail = (recipient: { nome: string; unsubscribeUrl: string }) => {
  subject: string
  html: string
  text: string
}

export function prepareNewsEmail({ news, campaign, publicUrl }: NewsEmailParts): NewsEmail {
  return ({ nome, unsubscribeUrl }) => ({
    subject: news.titulo,
    html: `<p>${greeting(nome)}</p>${news.html}<p><a href="${unsubscribeUrl}">Sair</a></p>`,
    text: `${greeting(nome)}\n${news.titulo}\n${publicUrl}${campaign.path}\n${unsubscribeUrl}\n`,
  })
}
