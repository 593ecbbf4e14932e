import { Article } from '#web/layout/article.tsx'

export function ErasedView() {
  return (
    <Article
      sticker="Pronto"
      title="Dados apagados"
      lead="Apagamos o que estava ligado ao seu e-mail. O link que você usou não funciona mais."
    >
      <p>As linhas da planilha do movimento saem nos próximos minutos.</p>
      <p>
        Mudou de ideia? Você pode assinar ou se cadastrar de novo quando quiser. <a href="/">Ir para o início</a>
      </p>
    </Article>
  )
}
