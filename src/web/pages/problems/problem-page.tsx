// What is shown instead of a page: an address that leads nowhere, or a failure of ours.
import { messages } from '#contract/messages.ts'
import { useVisit, useWayOut } from '#web/api/visit.ts'
import { useCampaignLinks } from '#web/layout/campaign-links.ts'
import { Framed } from '#web/layout/framed.tsx'
import { Layout } from '#web/layout/layout.tsx'
import './problem-page.css'

export default function ProblemPage() {
  const { problem, framed } = useVisit()
  const Frame = framed ? Framed : Layout
  const wayOut = useWayOut()
  const [petition] = useCampaignLinks('notFound')
  const missing = problem?.status === 404
  const noCampaign = problem?.message === messages.campaign.notFound
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
            <a className="button button-sign" href="/" {...wayOut}>
              Ir para o início
            </a>
          </li>
          {petition && (
            <li>
              <a className="button button-paper" href={petition.href} {...wayOut}>
                {petition.text}
              </a>
            </li>
          )}
        </ul>
      </section>
    </Frame>
  )
}
