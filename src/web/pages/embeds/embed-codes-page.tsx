// `/embed-codes`: three code snippets to embed our forms in other sites, and a preview of the first.
import { useState } from 'react'
import { interestRatePetition } from '#contract/petitions.ts'
import { activeCampaigns } from '#web/api/campaigns.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import '#web/forms/fields/field.css'
import { Article } from '#web/layout/article.tsx'
import { embedScript } from '#web/pages/embeds/embed-script.ts'
import { Snippet } from '#web/pages/embeds/snippet.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import './embed-codes-page.css'

/** High enough for either form on a phone. With error messages the form is longer, and the frame scrolls. */
const height = 1400

const frame = (address: string, title: string) =>
  `<iframe src="${address}" title="${title}" width="100%" height="${height}" frameborder="0" loading="lazy"></iframe>`

export default function EmbedCodesPage() {
  const { publicUrl, site, params } = usePageContext()
  const hydrated = useHydrated()
  const campaigns = useQuery(activeCampaigns).data?.campaigns ?? []
  const [chosen, setSlug] = useState(params.campanha)
  const isOffered = (candidate: string | undefined) => campaigns.some((campaign) => campaign.slug === candidate)
  const { slug: petition } = interestRatePetition
  const slug = [chosen, petition].find(isOffered) ?? campaigns[0]?.slug ?? petition
  return (
    <Article
      sticker="Para o seu site"
      title="Leve a campanha para a sua página"
      lead="Copie um código, cole no seu site ou blog, e quem visita assina sem sair de lá. As assinaturas contam no mesmo contador."
    >
      <form className="field snippet-campaign" action="/embed-codes">
        <label htmlFor="campanha">Petição dos códigos 2 e 3</label>
        <select id="campanha" name="campanha" value={slug} onChange={({ target }) => setSlug(target.value)}>
          {campaigns.map((campaign) => (
            <option key={campaign.slug} value={campaign.slug}>
              {campaign.titulo}
            </option>
          ))}
        </select>
        {!hydrated && (
          <button type="submit" className="button">
            Mostrar os códigos dela
          </button>
        )}
      </form>
      <Snippet
        id="codigo-voluntarios"
        title="1. Cadastro de voluntários"
        text="Um quadro que se ajusta à largura da sua página."
        code={frame(`${publicUrl}/embed/voluntarios`, `Faça parte do ${site.movimento}`)}
      />
      <Snippet
        id="codigo-peticao"
        title="2. Petição"
        text="O título, o contador e o formulário de uma petição, em um quadro simples."
        code={frame(`${publicUrl}/embed/${slug}`, 'Assine a petição')}
      />
      <Snippet
        id="codigo-altura"
        title="3. Petição com altura automática"
        text="O quadro aparece onde o código estiver e cresce e encolhe com o formulário, sem barra de rolagem. O arquivo é curto e pode ser lido por qualquer pessoa; ele não usa cookies nem mexe no resto da página."
        code={embedScript(publicUrl, slug)}
      />
      <p className="article-small">
        Seu site tem uma política de segurança (CSP)? Libere <code>{publicUrl}</code> em <code>frame-src</code> e, para
        o código 3, também em <code>script-src</code>.
      </p>
      <section className="snippet-try" aria-labelledby="previa">
        <h2 id="previa">Prévia do primeiro</h2>
        <p>O formulário abaixo é de verdade: o que for enviado é gravado.</p>
        {/* A relative URL, not the public one: the page may only frame its own origin. */}
        <iframe
          className="snippet-preview"
          src="/embed/voluntarios"
          title="Prévia do cadastro de voluntários"
          loading="lazy"
          height={height}
        />
      </section>
    </Article>
  )
}
