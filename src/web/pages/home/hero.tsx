import { usePageContext } from '#web/api/page-context.ts'
import { volunteerAnchor } from '#web/forms/volunteer-form.tsx'
import { RaisedPhone } from '#web/pages/home/raised-phone.tsx'

export function Hero() {
  const { site } = usePageContext()
  return (
    <div className="hero torn">
      <div className="hero-inner home-inner">
        <div className="hero-words">
          <p className="sticker">{site.hashtag}</p>
          <h1>
            A força do povo <mark>cabe na</mark> <mark>sua mão</mark>
          </h1>
          <a className="button button-sign hero-button" href={`#${volunteerAnchor}`}>
            Quero fazer parte
          </a>
          <section className="who" id="quem-somos" aria-labelledby="quem-somos-titulo">
            <h2 id="quem-somos-titulo">Quem somos</h2>
            <p>
              O {site.movimento} é um movimento nacional, digital e voluntário. Somos gente comum que apoia o governo e
              o presidente, e que conversa, cria e compartilha para defender conquistas e cobrar novas.
            </p>
          </section>
        </div>
        <RaisedPhone />
      </div>
    </div>
  )
}
