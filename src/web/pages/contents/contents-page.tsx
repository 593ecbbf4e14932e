// `/conteudos-destaque`: images to share and download, by category.
import { useState } from 'react'
import type { Content } from '#contract/contents.ts'
import { contentMessages } from '#contract/contents.ts'
import { contents as contentsQuery } from '#web/api/contents.ts'
import { useQuery } from '#web/api/store.ts'
import { Layout } from '#web/layout/layout.tsx'
import { Poster } from '#web/layout/poster.tsx'
import { CategoryPills } from '#web/pages/contents/category-pills.tsx'
import { ContentCard } from '#web/pages/contents/content-card.tsx'
import './contents-page.css'

const allCategories = 'TODAS'
const skeletons = [1, 2, 3, 4, 5, 6]

export default function ContentsPage() {
  const { data, error } = useQuery(contentsQuery)
  const [category, setCategory] = useState<string>(allCategories)
  const active = (data ?? []).filter(({ isActive }) => isActive).sort((a, b) => a.ordem - b.ordem)
  const visible = category === allCategories ? active : active.filter(({ categoria }) => categoria === category)
  const loading = !data && !error
  return (
    <Layout>
      <Poster
        sticker="Conteúdos em destaque"
        title="Pegue, mande, cole"
        lead="Cartazes prontos para os seus grupos. Baixe a imagem ou compartilhe com um toque."
      />
      <section className="contents" aria-label="Conteúdos">
        <CategoryPills categories={categoriesOf(active, category)} chosen={category} onChoose={setCategory} />
        <p className="hidden" role="status">
          {loading ? 'Carregando conteúdos…' : `${visible.length} ${visible.length === 1 ? 'conteúdo' : 'conteúdos'}`}
        </p>
        {loading && <Skeletons />}
        {!loading && visible.length === 0 && (
          <p className="contents-empty">
            {category === allCategories ? contentMessages.empty : contentMessages.emptyCategory(category)}
          </p>
        )}
        {visible.length > 0 && (
          <ul className="contents-grid">
            {visible.map((content) => (
              <ContentCard key={content.id} content={content} />
            ))}
          </ul>
        )}
      </section>
    </Layout>
  )
}

/** The chosen category stays, even if a newer list has no content in it. */
function categoriesOf(active: Content[], chosen: string): string[] {
  return [...new Set([allCategories, ...active.map(({ categoria }) => categoria), chosen])]
}

function Skeletons() {
  return (
    <div className="contents-grid" aria-hidden="true">
      {skeletons.map((card) => (
        <div className="content skeleton" key={card}>
          <div className="content-picture" />
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
