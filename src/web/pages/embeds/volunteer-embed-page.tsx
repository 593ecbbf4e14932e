// `/embed/voluntarios`: signing up as a volunteer inside somebody else's page.
import { useVisit } from '#web/api/visit.ts'
import { VolunteerForm } from '#web/forms/volunteer-form.tsx'
import { Framed } from '#web/layout/framed.tsx'
import './embed.css'

export default function VolunteerEmbedPage() {
  const { site } = useVisit()
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
