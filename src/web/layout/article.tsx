import type { ReactNode } from 'react'
import { Layout } from '#web/layout/layout.tsx'
import { Poster } from '#web/layout/poster.tsx'
import './article.css'

interface ArticleProps {
  sticker: string
  title: string
  lead: string
  children: ReactNode
}

export function Article({ children, ...poster }: ArticleProps) {
  return (
    <Layout>
      <Poster {...poster} />
      <div className="article">{children}</div>
    </Layout>
  )
}
