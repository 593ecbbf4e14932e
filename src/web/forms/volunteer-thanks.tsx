// Thank-you view for volunteers, with the link to the group of the chosen task.
import { useRef } from 'react'
import { messages } from '#contract/messages.ts'
import { asSentence } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { AlsoSign } from '#web/forms/also-sign.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { ShareKit } from '#web/ui/share-kit.tsx'
import { useFocusOnMount } from '#web/ui/use-hydrated.ts'

interface VolunteerThanksProps {
  anchor: string
  isCreator: boolean
  onStartAgain(): void
}

export function VolunteerThanks({ anchor, isCreator, onStartAgain }: VolunteerThanksProps) {
  const { site, publicUrl, path, framed } = usePageContext()
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
      <p>Conhece alguém que também viria? Mande o convite.</p>
      <ShareKit
        place="share-thanks"
        label="Convidar para o movimento"
        url={`${publicUrl}/`}
        textFor={() => `${asSentence(`Entrei para o ${site.movimento}`)} Vem também!`}
        framed={framed}
      />
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
