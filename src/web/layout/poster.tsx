import type { ReactNode } from 'react'
import './poster.css'

interface PosterProps {
  sticker: string
  title: string
  lead: ReactNode
  children?: ReactNode
}

export function Poster({ sticker, title, lead, children }: PosterProps) {
  return (
    <div className="poster">
      <div className="poster-content">
        <p className="sticker">{sticker}</p>
        <h1>{title}</h1>
        <p className="poster-lead">{lead}</p>
        {children}
      </div>
    </div>
  )
}
