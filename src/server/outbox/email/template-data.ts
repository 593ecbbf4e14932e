// Reads the record of an e-mail and chooses its template. A deleted record gets no e-mail.
import { type CountingMode, campaignPath } from '#contract/campaigns.ts'
import type { Site } from '#contract/site.ts'
import type { Database } from '#server/db/database.ts'
import { asksToConfirmNewsSql, asksToResubscribeSql, hasNewsConsentSql } from '#server/db/news-consent.ts'
import { formTables, type PersonColumn } from '#server/db/people-descriptors.ts'
import type { EmailContent } from '#server/outbox/email/email-layout.ts'
import * as templates from '#server/outbox/email/email-templates.ts'
import type { EmailTemplate } from '#server/outbox/queue/kinds.ts'

/** Personal links of the recipient. A template may use them. */
interface TemplateLinks {
  confirmUrl: string
  removeUrl: string
}

interface EmailRecord {
  email: string
  canonicalEmail: string
  /** The campaign or the form. Each has a separate limit of e-mails per address. */
  campanha: string
  /** The confirmation link subscribes a mailbox that had unsubscribed or had not asked for news. */
  asksForNews: boolean
  render(links: TemplateLinks): EmailContent
}

interface TemplateDataDeps {
  database: Database
  publicUrl: string
}

interface SignedRow {
  nome: string
  email: string
  canonicalEmail: string
  campanha: string
  confirmadoEm: Date | null
  titulo: string | null
  subtitulo: string | null
  themeColor: string | null
  countingMode: CountingMode | null
}

const signatureSql = `
  select nome, email, "canonicalEmail", campanha, "confirmadoEm", titulo, subtitulo, "themeColor", "countingMode"
  from peticoes p left join campaigns on slug = campanha where p.id = $1`

interface FormRow {
  nome: string
  email: string
  canonicalEmail: string
  tasks: string[]
  asksToResubscribe: boolean
  asksToConfirm: boolean
}

const isForm = (template: EmailTemplate): template is FormTemplate => template in writeForm

const writeForm = {
  voluntario: ({ nome, tasks }: FormRow, site: Site) => templates.volunteerWelcome({ name: nome, tasks }, site),
  influenciador: ({ nome }: FormRow, site: Site) => templates.influencerReceived({ name: nome }, site),
  lider: ({ nome }: FormRow, site: Site) => templates.leaderReceived({ nome }, site),
} satisfies Record<(typeof formTables)[number]['emailTemplate'], unknown>
type FormTemplate = keyof typeof writeForm

function formSql(template: FormTemplate): string {
  const form = formTables.find(({ emailTemplate }) => emailTemplate === template)
  const columns: PersonColumn[] = form?.columns ?? []
  const sqlOf = (key: string) => columns.find((column) => column.key === key)?.sql
  return `select ${sqlOf('nome')} as nome, email, "canonicalEmail", ${sqlOf('tarefas')} as tasks,
    ${asksToResubscribeSql('p')} as "asksToResubscribe", ${asksToConfirmNewsSql('p')} as "asksToConfirm" from ${form?.table} p where id = $1`
}

const signatureTemplates = {
  assinatura: templates.thankYou,
  lembrete: templates.reminder,
  repetida: templates.repeatNotice,
  novidades: templates.newsConfirmation,
}

/** Used instead of a campaign for the quota of a form. No slug begins with this sign. */
export const quotaKeyOfForm = (template: FormTemplate) => `#${template}`

export function createTemplateData({ database, publicUrl }: TemplateDataDeps) {
  async function signature(template: keyof typeof signatureTemplates, id: string, site: Site) {
    // People who subscribed in the meantime get no request to confirm it.
    const [row] =
      template === 'novidades'
        ? await database.query<SignedRow>(
            'email-news',
            `${signatureSql} and not (${hasNewsConsentSql('p', 'aceita')})`,
            [id],
          )
        : await database.query<SignedRow>('email-signature', signatureSql, [id])
    if (!row || (template === 'lembrete' && row.confirmadoEm)) return undefined
    const { nome, email, canonicalEmail, campanha, confirmadoEm, titulo, subtitulo, themeColor, countingMode } = row
    const campaign = {
      titulo: titulo ?? campanha,
      subtitulo,
      themeColor: themeColor ?? 'red',
      countsWhenConfirmed: countingMode === 'confirmed',
      url: publicUrl + campaignPath(campanha, site.deputado.slug),
    }
    const write = signatureTemplates[template]
    return {
      email,
      canonicalEmail,
      campanha,
      asksForNews: template === 'novidades',
      render: (links: TemplateLinks) => write({ nome, campaign, isConfirmed: confirmadoEm !== null, ...links }),
    }
  }

  async function form(template: FormTemplate, id: string, site: Site) {
    const [row] = await database.query<FormRow>(`email-${template}`, formSql(template), [id])
    if (!row) return undefined
    const { email, canonicalEmail, asksToResubscribe, asksToConfirm } = row
    const render = ({ confirmUrl }: TemplateLinks) => {
      const content = writeForm[template](row, site)
      if (asksToResubscribe) return templates.withResubscription(content, confirmUrl)
      return asksToConfirm ? templates.withNewsConfirmation(content, confirmUrl) : content
    }
    return { email, canonicalEmail, campanha: quotaKeyOfForm(template), asksForNews: asksToResubscribe, render }
  }

  return {
    find(template: EmailTemplate, id: string, site: Site): Promise<EmailRecord | undefined> {
      return isForm(template) ? form(template, id, site) : signature(template, id, site)
    },
  }
}
