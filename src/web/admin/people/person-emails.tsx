// What is known about e-mails to the mailbox of a person.
import type { MailboxState } from '#contract/admin/people.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'

/** Keys of forms in the number of sent e-mails. */
const formNames: Record<string, string> = {
  '#voluntario': 'Cadastro de voluntário',
  '#influenciador': 'Inscrição de influenciador',
  '#lider': 'Inscrição de líder',
  '': 'Registros já apagados',
}

interface PersonEmailsProps {
  emails: MailboxState
  campaignTitle(slug: string): string
}

export function PersonEmails({ emails, campaignTitle }: PersonEmailsProps) {
  const { enviados, aguardando, paradas, descadastradoEm, naoContatarDesde, recusadoEm } = emails
  const warnings = [
    naoContatarDesde && `Pediu para nunca mais receber e-mails, em ${formatDateTime(naoContatarDesde)}.`,
    descadastradoEm && !naoContatarDesde && `Saiu das novidades em ${formatDateTime(descadastradoEm)}.`,
    recusadoEm && `Endereço suspenso desde ${formatDateTime(recusadoEm)}: veja em Sistema, Endereços suspensos.`,
    paradas ? `${pluralize(paradas, 'entrega parada', 'entregas paradas')}: veja em Sistema.` : '',
  ].filter(Boolean)
  return (
    <section className="panel" aria-labelledby="emails">
      <h2 id="emails">E-mails do site</h2>
      {warnings.map((warning) => (
        <p key={String(warning)} className="notice">
          {warning}
        </p>
      ))}
      {enviados.length === 0 ? (
        <p className="faint">Nenhum e-mail enviado a este endereço.</p>
      ) : (
        <ul className="person-others">
          {enviados.map(({ campanha, n, ultimo }) => (
            <li key={campanha}>
              {formNames[campanha] ?? campaignTitle(campanha)}: {pluralize(n, 'e-mail', 'e-mails')}, o último em{' '}
              {formatDateTime(ultimo)}
            </li>
          ))}
        </ul>
      )}
      {aguardando !== 0 && (
        <p className="faint">
          {aguardando === null
            ? 'Há muitas entregas na fila: não se sabe se há uma para esta pessoa.'
            : `${pluralize(aguardando, 'e-mail', 'e-mails')} na fila.`}
        </p>
      )}
    </section>
  )
}
