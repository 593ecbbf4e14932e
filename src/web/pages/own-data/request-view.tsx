// `/meus-dados`: asks for the link to the data of an e-mail address. The answer is the same whether there is any.
import { linkMinutes, ownDataPath } from '#contract/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import '#web/forms/form-card.css'
import { Article } from '#web/layout/article.tsx'
import { FormRefusal, PlainField } from '#web/pages/own-data/plain-field.tsx'

export function RequestView() {
  const { thanked } = usePageContext()
  return thanked ? <Requested /> : <RequestForm />
}

function RequestForm() {
  return (
    <Article
      sticker="Privacidade"
      title="Meus dados"
      lead="Veja, corrija, baixe ou apague o que guardamos sobre você. Sem senha: o link chega no seu e-mail."
    >
      <form method="post" action={ownDataPath} className="card">
        <FormRefusal labels={{ email: 'E-mail' }} />
        <PlainField
          name="email"
          label="Seu e-mail"
          hint="O mesmo que você usou para assinar ou se cadastrar."
          required
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <button className="button button-sign submit" type="submit">
          Mandar o link
        </button>
        <p className="consent">
          Usamos este e-mail só para procurar os dados e mandar o link. Veja a <a href="/privacidade">privacidade</a>.
        </p>
      </form>
    </Article>
  )
}

function Requested() {
  const { site } = usePageContext()
  return (
    <Article
      sticker="Pedido feito"
      title="Olhe o seu e-mail"
      lead="Se guardamos alguma coisa com esse endereço, o link chega em alguns minutos."
    >
      <p>O link vale por {linkMinutes === 60 ? 'uma hora' : `${linkMinutes} minutos`}. Se demorar, olhe no spam.</p>
      <p>
        Não chegou? Então não há nada com esse endereço, ou ele já pediu o link muitas vezes nesta hora, ou pediu que a
        gente nunca mais escrevesse para ele. Por segurança, esta página não diz qual é o caso. Se precisar, escreva
        para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>.
      </p>
      <p>
        <a href={ownDataPath}>Pedir com outro e-mail</a>
      </p>
    </Article>
  )
}
