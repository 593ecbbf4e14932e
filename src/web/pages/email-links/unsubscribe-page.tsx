// `/descadastrar/…`: unsubscribes an address from the news, or from all e-mails.
// Mail programs can submit the first form themselves, with a POST to the same address.
import { neverAgainField } from '#contract/email-links.ts'
import { emailLink } from '#web/api/email-links.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { Article } from '#web/layout/article.tsx'
import { ActionForm, LinkForm } from '#web/pages/email-links/action-form.tsx'

export default function UnsubscribePage() {
  const { thanked, params } = usePageContext()
  const { data } = useQuery(emailLink('descadastrar', params.token ?? ''))
  if (data?.saiu === 'tudo')
    return (
      <Article
        sticker="Pronto"
        title="Não escrevemos mais para você"
        lead="Este endereço não recebe mais nenhum e-mail nosso. Suas assinaturas e seus cadastros continuam valendo."
      >
        <Undo />
      </Article>
    )
  if (data?.saiu === 'novidades')
    return (
      <Article
        sticker="Pronto"
        title={thanked ? 'Você saiu das novidades' : 'Você já saiu das novidades'}
        lead="Não mandamos mais novidades nem lembretes. Suas assinaturas e seus cadastros continuam valendo."
      >
        <p>
          Se você assinar outra petição, ainda mandamos um e-mail para confirmar. Para voltar a receber novidades,
          marque a opção no formulário e confirme.
        </p>
        <NeverAgain />
      </Article>
    )
  return (
    <ActionForm
      asking={{
        sticker: 'E-mails',
        title: 'Sair das novidades',
        lead: 'Aperte o botão e não mandamos mais novidades nem lembretes para este endereço.',
        children: (
          <p>
            Suas assinaturas e seus cadastros continuam valendo. Se você assinar outra petição, ainda mandamos um e-mail
            para confirmar.
          </p>
        ),
      }}
      button="Parar as novidades"
      other={<NeverAgain />}
      done={{ sticker: 'Pronto', title: 'Você saiu das novidades', lead: 'O pedido já vale.' }}
    />
  )
}

function NeverAgain() {
  return (
    <LinkForm>
      <h2>Não quer nenhum e-mail?</h2>
      <p>
        Então nem a confirmação do que você assinar chega mais: novas assinaturas com este endereço ficam sem confirmar.
      </p>
      <input type="hidden" {...neverAgainField} />
      <p>
        <button className="button" type="submit">
          Nunca mais me escrevam
        </button>
      </p>
    </LinkForm>
  )
}

function Undo() {
  const { site } = usePageContext()
  return (
    <p>
      Mudou de ideia? Escreva para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>.
    </p>
  )
}
