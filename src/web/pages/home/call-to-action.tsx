import { volunteerAnchor } from '#web/forms/volunteer-form.tsx'
import { Crowd } from '#web/pages/home/crowd.tsx'

export function CallToAction() {
  return (
    <section className="call" aria-labelledby="chamada-titulo">
      <div className="call-inner home-inner">
        <h2 className="call-title" id="chamada-titulo">
          <span>Do celular</span> <span>para as ruas</span>
        </h2>
        <div className="call-words">
          <p>
            Uma mensagem vira conversa, a conversa vira roda, a roda enche a praça. O que a gente combina na tela ganha
            voz no bairro, na feira, na escola e no trabalho.
          </p>
          <a className="button button-sign button-ink" href={`#${volunteerAnchor}`}>
            Vem com a gente
          </a>
        </div>
      </div>
      <Crowd />
    </section>
  )
}
