import { Article } from '#web/layout/article.tsx'

export default function FormTestPage() {
  return (
    <Article
      sticker="Página de teste"
      title="Teste do formulário de lideranças"
      lead="Esta página serve para conferir se o formulário abre e funciona."
    >
      <p>O que for enviado pelo formulário é gravado de verdade. Para testar, use dados inventados.</p>
      <ul className="article-ways">
        <li>
          <a className="button button-sign" href="/formulario-lideres">
            Abrir o formulário de lideranças
          </a>
        </li>
      </ul>
    </Article>
  )
}
