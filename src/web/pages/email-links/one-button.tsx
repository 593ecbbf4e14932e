// One question and one button, for links that came by e-mail: opening the link does nothing, pressing the button does.
// It works without JavaScript, and shows nothing about anybody: whoever holds the link may not be its owner.
import type { ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import { useVisit } from '#web/api/visit.ts'
import { Article } from '#web/layout/article.tsx'

interface Words {
  sticker: string
  title: string
  lead: string
  children?: ReactNode
}

interface OneButtonProps {
  asking: Words
  button: string
  done: Words
}

export function OneButton({ asking, button, done }: OneButtonProps) {
  const { thanked, form, path } = useVisit()
  if (thanked) return <Article {...done}>{done.children}</Article>
  if (form?.message === messages.emailLinks.expired) return <Expired />
  return (
    <Article {...asking}>
      <form method="post" action={path} className="card">
        {form && <p role="alert">{form.message}</p>}
        {asking.children}
        <p>
          <button className="button button-sign" type="submit">
            {button}
          </button>
        </p>
      </form>
      <p>Abriu sem querer? É só fechar esta página: nada acontece enquanto você não apertar o botão.</p>
    </Article>
  )
}

function Expired() {
  const { site } = useVisit()
  return (
    <Article
      sticker="Link vencido"
      title={messages.emailLinks.expired}
      lead="Os links dos nossos e-mails valem por um tempo, ou até a assinatura ser apagada."
    >
      <p>
        Precisa de ajuda? Escreva para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>.
      </p>
      <p>
        <a className="button button-yellow" href="/">
          Ir para o início
        </a>
      </p>
    </Article>
  )
}
