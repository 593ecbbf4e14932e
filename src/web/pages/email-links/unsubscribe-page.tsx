// `/descadastrar/…`: what a mailbox wants to get by e-mail. Without an account and without JavaScript.
// Mail programs can unsubscribe without the page, with a POST to the same address.
import { choiceField, keepChoice, type NewsPreferences } from '#contract/email-links.ts'
import { emailLink } from '#web/api/email-links.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import '#web/forms/form-card.css'
import { Article } from '#web/layout/article.tsx'
import { LinkForm } from '#web/pages/email-links/action-form.tsx'
import '#web/pages/email-links/preferences.css'

const opened = {
  sticker: 'E-mails',
  title: 'O que você quer receber?',
  lead: 'Escolha e aperte o botão. Suas assinaturas e seus cadastros continuam valendo de qualquer jeito.',
}
const saved: Record<NewsPreferences['escolha'], { title: string; lead: string }> = {
  todas: {
    title: 'Você recebe as novidades',
    lead: 'Para mudar, é só abrir de novo o link no fim de qualquer e-mail nosso.',
  },
  'sem-campanha': {
    title: 'Sem novidades desta campanha',
    lead: 'As das outras campanhas continuam chegando.',
  },
  nenhuma: {
    title: 'Você saiu das novidades',
    lead: 'Não mandamos mais novidades nem lembretes. Suas assinaturas e seus cadastros continuam valendo.',
  },
  nunca: {
    title: 'Não escrevemos mais para você',
    lead: 'Este endereço não recebe mais nenhum e-mail nosso. Suas assinaturas e seus cadastros continuam valendo.',
  },
}

export default function UnsubscribePage() {
  const { thanked, params } = usePageContext()
  const { data } = useQuery(emailLink('descadastrar', params.token ?? ''))
  const preferences = data?.preferencias
  const texts = thanked && preferences ? { sticker: 'Pronto', ...saved[preferences.escolha] } : opened
  return (
    <Article {...texts}>
      {preferences?.suspenso && preferences.escolha !== 'nunca' && <Suspended />}
      {preferences?.escolha === 'nunca' ? <Undo /> : preferences && <ChoiceForm preferences={preferences} />}
    </Article>
  )
}

function ChoiceForm({ preferences }: { preferences: NewsPreferences }) {
  const { form, thanked } = usePageContext()
  return (
    <>
      <LinkForm>
        {form && <p role="alert">{form.message}</p>}
        <fieldset className="news-choices">
          <legend>{thanked ? 'Mudou de ideia?' : 'E-mails que você recebe'}</legend>
          {choicesOf(preferences).map(({ value, label, hint, isCurrent }) => (
            <label key={value} className="news-choice">
              <input type="radio" name={choiceField} value={value} defaultChecked={isCurrent} />
              <span>
                <strong>{label}</strong>
                {hint}
              </span>
            </label>
          ))}
        </fieldset>
        {preferences.confirma && <p>Escolher novidades também confirma que este e-mail é seu.</p>}
        <p>
          <button className="button button-sign submit" type="submit">
            Salvar
          </button>
        </p>
      </LinkForm>
      {!thanked && <p>Abriu sem querer? É só fechar esta página: nada muda enquanto você não apertar o botão.</p>}
    </>
  )
}

function choicesOf({ escolha, campanha, outras }: NewsPreferences) {
  const keeps = escolha === 'todas' && outras.length > 0
  const without = (titles: string[]) => `Todas, menos as de ${titles.map((title) => `“${title}”`).join(', ')}`
  const all = [
    {
      value: 'todas',
      label: 'Todas as novidades',
      hint: 'O que acontece com as campanhas, e lembretes.',
    },
    keeps && { value: keepChoice, label: without(outras), hint: 'Como está hoje.' },
    campanha !== null && {
      value: 'sem-campanha',
      label: without([campanha, ...outras]),
      hint: 'Só as das outras campanhas.',
    },
    {
      value: 'nenhuma',
      label: 'Nenhuma novidade',
      hint: 'Nem lembretes. Se você assinar outra petição, ainda mandamos um e-mail para confirmar.',
    },
    {
      value: 'nunca',
      label: 'Nunca mais me escrevam',
      hint: 'Nenhum e-mail, nem a confirmação do que você assinar. Esta opção não se desfaz por aqui.',
    },
  ]
  const current = keeps ? keepChoice : escolha
  return all.flatMap((choice) => (choice ? [{ ...choice, isCurrent: choice.value === current }] : []))
}

/** What is chosen is stored, but is not sent yet. */
function Suspended() {
  const { site } = usePageContext()
  return (
    <p>
      Os e-mails para este endereço estão suspensos: o servidor dele recusou um e-mail nosso, ou houve uma reclamação.
      Para voltar a receber, escreva para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>.
    </p>
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
