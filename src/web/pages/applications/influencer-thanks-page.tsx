// `/obrigado-influenciadores`: next steps after an influencer application.
import { messages } from '#contract/messages.ts'
import { asSentence } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { AlsoSign } from '#web/forms/also-sign.ts'
import { Article } from '#web/layout/article.tsx'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { ShareKit } from '#web/ui/share-kit.tsx'

export default function InfluencerThanksPage() {
  const { site, publicUrl } = usePageContext()
  return (
    <Article
      sticker="Inscrição enviada"
      title="Obrigado! Agora é com a gente"
      lead="Sua inscrição como influenciador chegou. Falta um passo: entrar no grupo."
    >
      <section className="card" aria-labelledby="grupo">
        <h2 id="grupo">Entre no grupo</h2>
        <p>É lá que a gente combina as pautas, troca materiais e tira dúvidas.</p>
        <p>
          <a
            className="button button-whatsapp"
            href={site.grupos.influenciadores}
            target="_blank"
            rel="noopener noreferrer"
          >
            <WhatsAppIcon /> Entrar no grupo de influenciadores
          </a>
        </p>
        <p className="article-small">O grupo abre em uma nova aba.</p>
        <AlsoSign place="also-sign" />
      </section>
      <p>{messages.form.emailComing}</p>
      <h2>Já pode começar</h2>
      <p>
        Escolha um cartaz, publique do seu jeito e use <strong>{site.hashtag}</strong>.
      </p>
      <ul className="article-ways">
        <li>
          <a className="button button-yellow" href="/conteudos-destaque">
            Ver os conteúdos
          </a>
        </li>
        <li>
          <a className="button" href="/">
            Voltar para o início
          </a>
        </li>
      </ul>
      <h2>Chame mais gente</h2>
      <p>Conhece mais gente que publica e toparia entrar? Mande o convite.</p>
      <ShareKit
        place="share-thanks"
        label="Convidar influenciadores"
        url={`${publicUrl}/influenciadoresCOMLULA`}
        textFor={() => `${asSentence(`Entrei para os influenciadores do ${site.movimento}`)} Vem também!`}
      />
    </Article>
  )
}
