// `/comunidade`: figures, benefits, and the registration form of an external service.
import { usePageContext } from '#web/api/page-context.ts'
import { Layout } from '#web/layout/layout.tsx'
import { Poster } from '#web/layout/poster.tsx'
import { RegistrationFrame } from '#web/pages/community/registration-frame.tsx'
import './community-page.css'

const benefits = [
  ['Material pronto', 'Cartazes e textos para mandar nos seus grupos sem perder tempo procurando.'],
  ['Gente da sua cidade', 'Encontre quem mora perto e pensa em agir, não só em reclamar.'],
  ['Aprender fazendo', 'Quem já gravou vídeo, fez meme e puxou conversa ensina quem está começando.'],
  ['Do celular para as ruas', 'O que começa numa mensagem vira banca, roda de conversa e encontro.'],
] as const

export default function CommunityPage() {
  const { community } = usePageContext()
  if (!community) throw new Error('the route of this page must set showsCommunity')
  const { membros, assinaturas, cidades, origem, formulario } = community
  const figures = [
    [membros, 'membros ativos'],
    [assinaturas, 'assinaturas'],
    [cidades, 'cidades ativas'],
  ] as const
  return (
    <Layout>
      <Poster
        sticker="Comunidade"
        title="Sozinho é opinião, junto é movimento"
        lead="Entre na comunidade de quem organiza, compartilha e aparece."
      >
        <dl className="figures">
          {figures.map(([value, label]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className="figures-origin">{origem}</p>
      </Poster>
      <div className="community">
        <section aria-labelledby="beneficios">
          <h2 id="beneficios">O que você encontra</h2>
          <ul className="benefits">
            {benefits.map(([title, text]) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>
        <RegistrationFrame address={formulario} />
      </div>
    </Layout>
  )
}
