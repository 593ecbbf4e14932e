// Page for a link in an e-mail: only pressing the button changes something. Works without JavaScript.
// It shows no personal data: the person who opens the link may not be the recipient.
import type { ReactNode } from 'react'
import { usePageContext } from '#web/api/page-context.ts'
import { Article } from '#web/layout/article.tsx'

interface PageTexts {
  sticker: string
  title: string
  lead: string
  children?: ReactNode
}

interface ActionFormProps {
  asking: PageTexts
  button: string
  /** A second form, with its own button. */
  other?: ReactNode
  done: PageTexts
}

export function ActionForm({ asking, button, other, done }: ActionFormProps) {
  const { thanked, form } = usePageContext()
  if (thanked) return <Article {...done}>{done.children}</Article>
  return (
    <Article {...asking}>
      <LinkForm>
        {form && <p role="alert">{form.message}</p>}
        {asking.children}
        <p>
          <button className="button button-sign submit" type="submit">
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
  const { path } = usePageContext()
  return (
    <form method="post" action={path} className="card">
      {children}
    </form>
  )
}
