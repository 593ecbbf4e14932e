// Thank-you view for volunteers, with the link to the group of the chosen task.
import { useRef } from 'react'
import { messages } from '#contract/messages.ts'
import { asSentence, whatsAppShare } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { AlsoSign } from '#web/forms/also-sign.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { useFocusOnMount } from '#web/ui/use-hydrated.ts'

interface VolunteerThanksProps {
  anchor: string
  isCreator: boolean
  onStartAgain(): void
}

export function VolunteerThanks({ anchor, isCreator, onStartAgain }: VolunteerThanksProps) {
  const { site, publicUrl, path } = usePageContext()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnMount(heading)
  return (
    <section className="card volunteer thank-you" id={anchor} aria-labelledby="obrigado-titulo">
      <p className="stamp" aria-hidden="true">
        Você está no time
      </p>
      <h2 id="obrigado-titulo" ref={heading} tabIndex={-1}>
        Obrigado por chegar junto!
      </h2>
      <p>Seu cadastro foi feito. O próximo passo é no grupo: é lá que a gente combina as ações de cada dia.</p>
      <p>{messages.form.emailComing}</p>
      <a
        className="button button-whatsapp group-link"
        href={isCreator ? site.grupos.criadores : site.grupos.geral}
        target="_blank"
        rel="noopener noreferrer"
      >
        <WhatsAppIcon size={26} />
        {isCreator ? 'ENTRE NO GRUPO DE CRIADORES DE CONTEÚDO' : 'ENTRE NO GRUPO DO WHATSAPP'}
      </a>
      <p>
        Conhece alguém que também viria?{' '}
        <a
          href={whatsAppShare({
            text: `${asSentence(`Entrei para o ${site.movimento}`)} Vem também!`,
            url: `${publicUrl}/`,
          })}
          target="_blank"
          rel="noopener noreferrer"
        >
          Mande o convite pelo WhatsApp
        </a>
        .
      </p>
      <AlsoSign place="also-sign" />
      {/* A link, so that it also works without JavaScript. */}
      <a
        className="button again"
        href={`${path}#${anchor}`}
        onClick={(event) => {
          event.preventDefault()
          onStartAgain()
        }}
      >
        Fazer novo cadastro
      </a>
    </section>
  )
}
