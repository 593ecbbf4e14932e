// `/metodologia`: how the movement works and how it counts signatures.
import { usePageContext } from '#web/api/page-context.ts'
import { Article } from '#web/layout/article.tsx'
import { useCampaignLinks } from '#web/layout/campaign-links.ts'

export default function MethodologyPage() {
  const { site } = usePageContext()
  const [petition] = useCampaignLinks('methodology')
  return (
    <Article
      sticker="Metodologia"
      title="Uma ideia, um botão, muita gente"
      lead="Como a gente se organiza, como conta assinaturas e como faz os conteúdos que você compartilha."
    >
      <h2>Do celular para as ruas</h2>
      <p>
        Pouca gente tem uma tarde livre para a política. Quase todo mundo tem um minuto no celular. Começamos por esse
        minuto e abrimos caminho para quem quer fazer mais.
      </p>
      <ol>
        <li>
          <strong>Uma ideia por vez.</strong> Cada campanha defende uma coisa só, em palavras que cabem numa conversa.
        </li>
        <li>
          <strong>Um botão por página.</strong> Quem chega sabe na hora o que fazer: assinar, se inscrever ou
          compartilhar.
        </li>
        <li>
          <strong>Cada pessoa chama outra.</strong> Depois de assinar, o pedido é sempre o mesmo: mande para um grupo em
          que confiam em você.
        </li>
        <li>
          <strong>Do grupo para a cidade.</strong> Quem quer mais vira voluntário, cria conteúdo, representa a cidade e
          puxa encontros presenciais.
        </li>
      </ol>

      <h2>Como contamos assinaturas</h2>
      <ul>
        <li>
          <strong>Uma pessoa, uma assinatura.</strong> Cada e-mail conta uma vez em cada campanha. Assinar de novo com o
          mesmo endereço não aumenta o número.
        </li>
        <li>
          <strong>Só conta o que foi gravado.</strong> A assinatura entra na soma no momento em que é guardada no banco
          de dados. Nas campanhas que mostram “assinaturas confirmadas”, ela entra quando a pessoa confirma pelo e-mail.
        </li>
        <li>
          <strong>O número da página é uma soma.</strong> Quando uma campanha já recolhia apoio antes, em outros
          lugares, começa com esse total informado pela coordenação. O número que aparece é esse ponto de partida mais
          as assinaturas feitas aqui e as das listas em papel que a coordenação incluiu. Campanhas novas começam do
          zero.
        </li>
        <li>
          <strong>Quem assina não é exposto.</strong> Nas páginas mostramos a soma, nunca a lista. Na entrega da
          petição, a lista pode ir com nome, cidade e estado, sem e-mail nem telefone.
        </li>
      </ul>

      <h2>Como fazemos os conteúdos</h2>
      <p>
        Cartazes e textos nascem das campanhas. Cada peça diz uma coisa só, em letra grande, para ser lida na tela de um
        celular. Defendemos causas e cobramos quem decide: sem ofensa, sem número inventado, sem imagem de quem não
        autorizou. Viu um erro? Escreva para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a> e a gente
        corrige.
      </p>
      <p>
        Tudo pode ser baixado e repassado. Use a hashtag <strong>{site.hashtag}</strong> para a gente se encontrar.
      </p>

      <h2>Como cuidamos dos dados</h2>
      <p>
        Pedimos o necessário para cada tarefa e explicamos para que serve. Está tudo na página de{' '}
        <a href="/privacidade">privacidade</a>.
      </p>
      <ul className="article-ways">
        {petition && (
          <li>
            <a className="button button-sign" href={petition.href}>
              {petition.text}
            </a>
          </li>
        )}
        <li>
          <a className="button" href="/conteudos-destaque">
            Ver os conteúdos
          </a>
        </li>
      </ul>
    </Article>
  )
}
