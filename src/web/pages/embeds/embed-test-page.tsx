// `/teste-embed`: our forms embedded in a page that looks like another site. The newspaper is invented.
import { interestRatePetition } from '#contract/petitions.ts'
import { usePageContext } from '#web/api/page-context.ts'
import './embed-test-page.css'

// The code as a site owner pastes it. It is parsed with the page, so it runs as on another site.
const snippet = `<script src="/embed.js" data-campanha="${interestRatePetition.slug}" async></script>`

export default function EmbedTestPage() {
  const { site } = usePageContext()
  return (
    <div className="gazette">
      <header>
        <p className="gazette-note">
          Página de teste: o jornal é inventado, os formulários são de verdade.{' '}
          <a href="/embed-codes">Ver os códigos</a>
        </p>
        <div className="gazette-name">
          <p>Gazeta da Rua de Cima</p>O jornal de um bairro que não existe
        </div>
      </header>
      <div className="gazette-columns">
        <main>
          <h1>Moradores levam abaixo-assinado para dentro do jornal</h1>
          <p>
            Este texto só está aqui para fazer volta. É assim que o formulário de {site.movimento} aparece no meio de
            uma matéria, com as letras, as cores e a largura de outro site em torno dele.
          </p>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, embedded as in another site */}
          <div className="gazette-embed" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: snippet }} />
          <p>
            A matéria continua depois do quadro. Quando o formulário cresce ou encolhe, este parágrafo desce ou sobe
            junto, e nada mais na página se mexe.
          </p>
        </main>
        <aside aria-label="Anúncio">
          <iframe src="/embed/voluntarios" title="Cadastro de voluntários" width="100%" height="1300" loading="lazy" />
        </aside>
      </div>
    </div>
  )
}
