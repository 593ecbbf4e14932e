import { usePageContext } from '#web/api/page-context.ts'
import { VolunteerForm } from '#web/forms/volunteer-form.tsx'
import { Framed } from '#web/layout/framed.tsx'
import './embed.css'

export default function VolunteerEmbedPage() {
  const { site } = usePageContext()
  return (
    <Framed>
      <div className="embed">
        <div className="embed-head">
          <h1 id="titulo">Faça parte do {site.movimento}</h1>
          <p className="embed-lead">{site.lema}</p>
        </div>
        <VolunteerForm />
      </div>
    </Framed>
  )
}
