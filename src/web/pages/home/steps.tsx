// How to take part, in four steps.
import type { ReactNode } from 'react'
import { usePageContext } from '#web/api/page-context.ts'
import { volunteerAnchor } from '#web/forms/volunteer-form.tsx'
import { CameraDrawing, HashDrawing, PencilDrawing, PinDrawing } from '#web/pages/home/step-drawings.tsx'

interface Step {
  title: string
  drawing: ReactNode
  text: ReactNode
  link: [href: string, text: string]
}

export function Steps() {
  const { site } = usePageContext()
  const steps: Step[] = [
    {
      title: 'Cadastre-se',
      drawing: <PencilDrawing />,
      text: 'Deixe seu nome, e-mail e WhatsApp, escolha a sua tarefa e entre no grupo.',
      link: [`#${volunteerAnchor}`, 'Fazer o cadastro'],
    },
    {
      title: 'Compartilhe',
      drawing: <HashDrawing />,
      text: (
        <>
          Leve os conteúdos da campanha para as suas redes, sempre com a hashtag{' '}
          <strong className="hashtag">{site.hashtag}</strong>
        </>
      ),
      link: ['/conteudos-destaque', 'Ver os conteúdos'],
    },
    {
      title: 'Seja um multiplicador',
      drawing: <CameraDrawing />,
      text: 'Grave vídeos, faça memes, conte do seu jeito. Quem te segue ouve você antes de ouvir qualquer anúncio.',
      link: ['/influenciadoresCOMLULA', 'Quero criar conteúdo'],
    },
    {
      title: 'Represente a sua cidade',
      drawing: <PinDrawing />,
      text: 'Seja a pessoa de referência do movimento onde você mora: reúna gente, organize encontros, leve a pauta local.',
      link: ['/formulario-lideres', 'Quero ser representante local'],
    },
  ]
  return (
    <section className="steps" aria-labelledby="como-titulo">
      <div className="home-inner">
        <h2 className="home-title" id="como-titulo">
          Como participar
        </h2>
        <ol>
          {steps.map(({ title, drawing, text, link: [href, linkText] }) => (
            <li className="step" key={title}>
              {drawing}
              <h3>{title}</h3>
              <p>{text}</p>
              <a href={href}>{linkText}</a>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
