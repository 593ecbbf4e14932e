// One question and one button, for links that came by e-mail: opening the link does nothing, pressing the button does.
// It works without JavaScript, and names nobody: whoever holds the link may not be its owner.
import type { ReactNode } from 'react'
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
  /** A second choice, with a button of its own. */
  other?: ReactNode
  done: Words
}

export function OneButton({ asking, button, other, done }: OneButtonProps) {
  const { thanked, form } = useVisit()
  if (thanked) return <Article {...done}>{done.children}</Article>
  return (
    <Article {...asking}>
      <LinkForm>
        {form && <p role="alert">{form.message}</p>}
        {asking.children}
        <p>
          <button className="button button-sign" type="submit">
            {button}
          </button>
        </p>
      </LinkForm>
      {other}
      <p>Abriu sem querer? É só fechar esta página: nada acontece enquanto você não apertar o botão.</p>
    </Article>
  )
}

/** Posts to the link itself. */
export function LinkForm({ children }: { children: ReactNode }) {
  const { path } = useVisit()
  return (
    <form method="post" action={path} className="card">
      {children}
    </form>
  )
}
