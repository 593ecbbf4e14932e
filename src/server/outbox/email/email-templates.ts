// The text of each e-mail. Subjects are constants, so that no input of a person or an administrator gets into a header.
import { createsContent } from '#contract/contacts.ts'
import { asSentence, facebookShare, telegramShare, twitterShare, whatsAppShare } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import type { Block, EmailContent } from '#server/outbox/email/email-layout.ts'

const maxGreetedLength = 30

interface SignedCampaign {
  titulo: string
  subtitulo: string | null
  themeColor: string
  /** Only confirmed signatures are in the public count. */
  countsWhenConfirmed: boolean
  /** The page where the campaign can be signed. */
  url: string
}

interface SignatureEmailData {
  nome: string
  campaign: SignedCampaign
  isConfirmed: boolean
  confirmUrl: string
  removeUrl: string
}

export function thankYou({ nome, campaign, confirmUrl, removeUrl }: SignatureEmailData): EmailContent {
  return {
    subject: 'Falta um toque: confirme sua assinatura',
    preview: campaign.countsWhenConfirmed
      ? 'Sua assinatura chegou. Ela conta quando você confirmar.'
      : 'Sua assinatura chegou e já conta. Confirme que foi você.',
    title: 'Obrigado por assinar',
    theme: campaign.themeColor,
    blocks: [
      {
        kind: 'text',
        text: `${greeting(nome)} Sua assinatura chegou${campaign.countsWhenConfirmed ? '' : ' e já conta'}:`,
      },
      about(campaign),
      {
        kind: 'text',
        text: `Falta um toque: confirme que foi você${campaign.countsWhenConfirmed ? ', e ela entra na contagem' : ''}. Assim mostramos que há gente de verdade por trás do número.`,
      },
      { kind: 'button', link: { label: 'Confirmar minha assinatura', href: confirmUrl } },
      ...shareLinks(campaign),
      notMe(removeUrl),
    ],
  }
}

export function reminder({ nome, campaign, confirmUrl, removeUrl }: SignatureEmailData): EmailContent {
  return {
    subject: 'Sua assinatura ainda espera confirmação',
    preview: 'É um toque só. Não vamos lembrar de novo.',
    title: 'Falta só confirmar',
    theme: campaign.themeColor,
    blocks: [
      { kind: 'text', text: `${greeting(nome)} Outro dia recebemos a sua assinatura:` },
      about(campaign),
      {
        kind: 'text',
        text: campaign.countsWhenConfirmed
          ? 'Ela entra na contagem quando você confirmar que foi você. Este é o único lembrete.'
          : 'Ela já conta, mas ainda falta confirmar que foi você. Este é o único lembrete.',
      },
      { kind: 'button', link: { label: 'Confirmar minha assinatura', href: confirmUrl } },
      ...shareLinks(campaign),
      notMe(removeUrl),
    ],
  }
}

export function repeatNotice({ nome, campaign, isConfirmed, confirmUrl, removeUrl }: SignatureEmailData): EmailContent {
  const confirmation: Block[] = [
    {
      kind: 'text',
      text: campaign.countsWhenConfirmed
        ? 'Ela entra na contagem quando você confirmar que foi sua:'
        : 'Ainda falta confirmar que a primeira foi sua:',
    },
    { kind: 'button', link: { label: 'Confirmar minha assinatura', href: confirmUrl } },
  ]
  return {
    subject: 'Você já tinha assinado',
    preview: 'Recebemos outra assinatura com o seu e-mail. Continua valendo a primeira.',
    title: 'Você já tinha assinado',
    theme: campaign.themeColor,
    blocks: [
      { kind: 'text', text: `${greeting(nome)} Recebemos outra assinatura com o seu e-mail nesta campanha:` },
      about(campaign),
      {
        kind: 'text',
        text:
          campaign.countsWhenConfirmed && !isConfirmed
            ? 'Cada pessoa conta uma vez, e a primeira continua valendo.'
            : 'Não precisa fazer nada: cada pessoa conta uma vez, e a primeira continua valendo.',
      },
      ...(isConfirmed ? [] : confirmation),
      ...shareLinks(campaign),
      notMe(removeUrl),
    ],
  }
}

export function newsConfirmation({
  nome,
  campaign,
  isConfirmed,
  confirmUrl,
  removeUrl,
}: SignatureEmailData): EmailContent {
  const label = isConfirmed ? 'Quero receber novidades' : 'Confirmar e receber novidades'
  return {
    subject: 'Confirme que quer receber novidades',
    preview: 'Alguém assinou de novo com o seu e-mail e marcou que quer novidades. Foi você?',
    title: 'Quer receber novidades?',
    theme: campaign.themeColor,
    blocks: [
      {
        kind: 'text',
        text: `${greeting(nome)} Recebemos outra assinatura com o seu e-mail nesta campanha, com a opção de receber novidades marcada:`,
      },
      about(campaign),
      { kind: 'text', text: 'Cada pessoa conta uma vez, e a primeira assinatura continua valendo. Quer novidades?' },
      { kind: 'button', link: { label, href: confirmUrl } },
      { kind: 'text', text: 'Se não quiser, não precisa fazer nada: sem o seu toque, não mandamos novidades.' },
      notMe(removeUrl),
    ],
  }
}

interface VolunteerEmailData {
  name: string
  tasks: string[]
}

export function volunteerWelcome(
  { name, tasks }: VolunteerEmailData,
  { movimento, hashtag, grupos }: Site,
): EmailContent {
  const creates = createsContent(tasks)
  return {
    subject: 'Seu cadastro de voluntário chegou',
    preview: 'Agora entre no grupo: é lá que tudo acontece.',
    title: 'Boas-vindas!',
    theme: 'red',
    blocks: [
      { kind: 'text', text: `${greeting(name)} Seu cadastro chegou. Que bom ter você no ${movimento}.` },
      { kind: 'text', text: 'O próximo passo é entrar no grupo: é lá que a gente combina tudo.' },
      {
        kind: 'button',
        link: creates
          ? { label: 'Entre no grupo de criadores de conteúdo', href: grupos.criadores }
          : { label: 'Entre no grupo do WhatsApp', href: grupos.geral },
      },
      { kind: 'text', text: `Nas redes, use ${hashtag}.` },
      {
        kind: 'small',
        text: 'Não foi você que se cadastrou? Então não precisa fazer nada: não entre no grupo e pronto.',
      },
    ],
  }
}

export function influencerReceived({ name }: { name: string }, { grupos, hashtag }: Site): EmailContent {
  return {
    subject: 'Sua inscrição de influenciador chegou',
    preview: 'Falta um passo: entrar no grupo.',
    title: 'Sua inscrição chegou',
    theme: 'red',
    blocks: [
      { kind: 'text', text: `${greeting(name)} Recebemos a sua inscrição na rede de influenciadores.` },
      { kind: 'text', text: 'Falta um passo: entrar no grupo, onde a gente combina as pautas e troca materiais.' },
      { kind: 'button', link: { label: 'Entrar no grupo de influenciadores', href: grupos.influenciadores } },
      { kind: 'text', text: `Já pode começar: publique do seu jeito e use ${hashtag}.` },
      { kind: 'small', text: 'Não foi você que se inscreveu? Então não precisa fazer nada.' },
    ],
  }
}

export function leaderReceived({ nome }: { nome: string }, { movimento, contato }: Site): EmailContent {
  return {
    subject: 'Sua inscrição de liderança chegou',
    preview: 'A coordenação vai ler a sua inscrição e falar com você.',
    title: 'Sua inscrição chegou',
    theme: 'red',
    blocks: [
      {
        kind: 'text',
        text: `${greeting(nome)} Recebemos a sua inscrição para organizar o ${movimento} na sua cidade.`,
      },
      { kind: 'text', text: 'A coordenação vai ler com calma e falar com você pelo WhatsApp ou por e-mail.' },
      { kind: 'text', text: 'Ninguém vai pedir senha, dinheiro ou documentos por mensagem.' },
      { kind: 'small', text: `Não foi você, ou quer corrigir alguma coisa? Escreva para ${contato.email}.` },
    ],
  }
}

interface OwnDataEmailData {
  name: string
  url: string
}

export function ownDataLink({ name, url }: OwnDataEmailData): EmailContent {
  return {
    subject: 'O link para os seus dados',
    preview: 'Ele vale por uma hora. Não mande para ninguém.',
    title: 'Seus dados são seus',
    theme: 'red',
    blocks: [
      { kind: 'text', text: `${greeting(name)} Alguém pediu no nosso site para ver os dados deste e-mail.` },
      { kind: 'text', text: 'Foi você? Por este link dá para ver, corrigir, baixar e apagar tudo o que guardamos:' },
      { kind: 'button', link: { label: 'Ver meus dados', href: url } },
      { kind: 'text', text: 'Ele vale por uma hora. Quem tem o link vê os seus dados: não mande para ninguém.' },
      { kind: 'small', text: 'Não foi você? Então não precisa fazer nada: só quem lê este e-mail tem o link.' },
    ],
  }
}

/** For people who had unsubscribed and ticked the news box again: the owner of the mailbox must confirm. */
export function withResubscription(content: EmailContent, confirmUrl: string): EmailContent {
  return {
    ...content,
    blocks: [
      ...content.blocks,
      {
        kind: 'text',
        text: 'Você tinha saído das novidades e agora marcou que quer receber. Confirme que quer voltar:',
      },
      { kind: 'button', link: { label: 'Voltar a receber novidades', href: confirmUrl } },
    ],
  }
}

/** For forms with the news box ticked: only confirmed addresses get news. */
export function withNewsConfirmation(content: EmailContent, confirmUrl: string): EmailContent {
  return {
    ...content,
    blocks: [
      ...content.blocks,
      {
        kind: 'text',
        text: 'Você marcou que quer receber novidades. Falta um toque: confirme que este e-mail é seu.',
      },
      { kind: 'button', link: { label: 'Confirmar e receber novidades', href: confirmUrl } },
      { kind: 'text', text: 'Se não quiser, não precisa fazer nada: sem o seu toque, não mandamos novidades.' },
    ],
  }
}

function about({ titulo, subtitulo }: SignedCampaign): Block {
  return { kind: 'quote', title: titulo, text: subtitulo }
}

function shareLinks({ titulo, url }: SignedCampaign): Block[] {
  const share = { text: `Eu assinei: ${asSentence(titulo)} Assine também:`, url }
  return [
    { kind: 'text', text: 'Agora passe adiante: cada pessoa que você chama pode ser mais uma assinatura.' },
    { kind: 'whatsapp', link: { label: 'Mandar no WhatsApp', href: whatsAppShare(share) } },
    {
      kind: 'links',
      text: 'Ou compartilhe por aqui:',
      links: [
        { label: 'Telegram', href: telegramShare(share) },
        { label: 'Facebook', href: facebookShare(share) },
        { label: 'Twitter', href: twitterShare(share) },
      ],
    },
  ]
}

function notMe(href: string): Block {
  return {
    kind: 'links',
    text: 'Não foi você que assinou?',
    links: [{ label: 'Não fui eu: apagar assinatura', href }],
  }
}

/** Uses only the letters of the first word: a stranger may have typed the name, and it must not contain a link. */
export function greeting(name: string): string {
  const [first = ''] = name
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{M}'’-]/gu, ''))
    .filter((word) => /\p{L}{2}/u.test(word) && word.length <= maxGreetedLength)
  return first ? `Oi, ${first}!` : 'Oi!'
}
