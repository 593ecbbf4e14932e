// Error page for e-mail links that are unknown, expired or already used.
import { type EmailLinkProblem, emailLinkProblems } from '#contract/email-links.ts'
import { ownDataPath } from '#contract/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { Article } from '#web/layout/article.tsx'

interface ProblemTexts {
  sticker: string
  lead: string
  help: string
}

const subscribed: ProblemTexts = {
  sticker: 'Novidades',
  lead: 'Está tudo certo: não precisa fazer mais nada.',
  help: 'Ficou alguma dúvida?',
}

const texts: Record<EmailLinkProblem, ProblemTexts> = {
  'link-unknown': {
    sticker: 'Link errado',
    lead: 'O endereço pode ter vindo cortado. Abra o link direto do e-mail, ou copie ele inteiro.',
    help: 'O e-mail sumiu?',
  },
  'link-expired': {
    sticker: 'Link vencido',
    lead: 'Os links dos nossos e-mails valem por um tempo. Use o do e-mail mais recente.',
    help: 'Precisa de ajuda?',
  },
  'link-already-confirmed': {
    sticker: 'Confirmada',
    lead: 'Está tudo certo: não precisa fazer mais nada. Obrigado!',
    help: 'Não foi você que confirmou?',
  },
  'link-already-subscribed': subscribed,
  'link-already-returned': subscribed,
  'link-already-removed': {
    sticker: 'Apagada',
    lead: 'Ela não conta mais, e os dados que vieram com ela foram apagados.',
    help: 'Ficou alguma dúvida?',
  },
  'link-already-silent': {
    sticker: 'Pronto',
    lead: 'O pedido continua valendo: nenhum e-mail nosso vai para ele.',
    help: 'Mudou de ideia?',
  },
}

export default function LinkProblemPage() {
  const { site, problem, path } = usePageContext()
  // The server renders this page for these codes alone.
  const code = problem?.code as EmailLinkProblem
  const { sticker, lead, help } = texts[code]
  return (
    <Article sticker={sticker} title={emailLinkProblems[code]} lead={lead}>
      {path.startsWith(`${ownDataPath}/`) && (
        <p>
          O link para os seus dados vale por uma hora. <a href={ownDataPath}>Peça outro</a> quando quiser.
        </p>
      )}
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
