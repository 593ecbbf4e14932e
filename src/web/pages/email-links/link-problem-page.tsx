// Shown for a link of an e-mail that leads nowhere: unknown, expired, or with nothing left to do.
import { emailLinkMessages } from '#contract/email-links.ts'
import { useVisit } from '#web/api/visit.ts'
import { Article } from '#web/layout/article.tsx'

const { unknown, expired, alreadySubscribed, alreadyReturned, alreadyConfirmed, alreadyRemoved, alreadySilent } =
  emailLinkMessages

interface Words {
  sticker: string
  lead: string
  help: string
}

const subscribed: Words = {
  sticker: 'Novidades',
  lead: 'Está tudo certo: não precisa fazer mais nada.',
  help: 'Ficou alguma dúvida?',
}

const words: Record<string, Words> = {
  [unknown]: {
    sticker: 'Link errado',
    lead: 'O endereço pode ter vindo cortado. Abra o link direto do e-mail, ou copie ele inteiro.',
    help: 'O e-mail sumiu?',
  },
  [expired]: {
    sticker: 'Link vencido',
    lead: 'Os links dos nossos e-mails valem por um tempo. Use o do e-mail mais recente.',
    help: 'Precisa de ajuda?',
  },
  [alreadyConfirmed]: {
    sticker: 'Confirmada',
    lead: 'Está tudo certo: não precisa fazer mais nada. Obrigado!',
    help: 'Não foi você que confirmou?',
  },
  [alreadySubscribed]: subscribed,
  [alreadyReturned]: subscribed,
  [alreadyRemoved]: {
    sticker: 'Apagada',
    lead: 'Ela não conta mais, e os dados que vieram com ela foram apagados.',
    help: 'Ficou alguma dúvida?',
  },
  [alreadySilent]: {
    sticker: 'Pronto',
    lead: 'O pedido continua valendo: nenhum e-mail nosso vai para ele.',
    help: 'Mudou de ideia?',
  },
}
const other: Words = { sticker: 'E-mails', lead: 'Tente abrir o link de novo.', help: 'Precisa de ajuda?' }

export default function LinkProblemPage() {
  const { site, problem } = useVisit()
  const title = problem?.message ?? unknown
  const { sticker, lead, help } = words[title] ?? other
  return (
    <Article sticker={sticker} title={title} lead={lead}>
      <p>
        {help} Escreva para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>.
      </p>
      <p>
        <a className="button button-yellow" href="/">
          Ir para o início
        </a>
      </p>
    </Article>
  )
}
