// Error page: for an unknown address or a failure of the server.
import { messages } from '#contract/messages.ts'
import { useOutboundLinkProps, usePageContext } from '#web/api/page-context.ts'
import { useCampaignLinks } from '#web/layout/campaign-links.ts'
import { Framed } from '#web/layout/framed.tsx'
import { Layout } from '#web/layout/layout.tsx'
import './problem-page.css'

export default function ProblemPage() {
  const { problem, framed } = usePageContext()
  const Frame = framed ? Framed : Layout
  const outboundProps = useOutboundLinkProps()
  const [petition] = useCampaignLinks('notFound')
  const missing = problem?.status === 404
  const noCampaign = problem?.code === 'campaign-not-found'
  return (
    <Frame>
      <section className="problem">
        <p className="problem-number" aria-hidden="true">
          {problem?.status}
        </p>
        <h1 id="titulo">
          {noCampaign ? messages.campaign.notFound : missing ? 'Página não encontrada' : 'Não deu certo agora'}
        </h1>
        <p>
          {missing
            ? 'Este endereço não existe ou mudou de lugar. A luta continua por aqui:'
            : (problem?.message ?? 'Tente de novo em alguns segundos.')}
        </p>
        <ul className="problem-ways">
          <li>
            <a className="button button-sign" href="/" {...outboundProps}>
              Ir para o início
            </a>
          </li>
          {petition && (
            <li>
              <a className="button button-paper" href={petition.href} {...outboundProps}>
                {petition.text}
              </a>
            </li>
          )}
        </ul>
      </section>
    </Frame>
  )
}
