import type { ReactNode } from 'react'
import { Layout } from '#web/layout/layout.tsx'
import './application-view.css'

interface ApplicationViewProps {
  sticker: string
  title: string
  lead: string
  children: ReactNode
}

export function ApplicationView({ sticker, title, lead, children }: ApplicationViewProps) {
  return (
    <Layout>
      <div className="application-hero">
        <p className="sticker">{sticker}</p>
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      <div className="application-form">{children}</div>
    </Layout>
  )
}
