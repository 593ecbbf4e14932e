// Reads the record that an e-mail is about and writes its letter. A record that is gone has none.
import { campaignPath } from '#contract/campaigns.ts'
import type { Site } from '#contract/site.ts'
import type { Database } from '#server/db/database.ts'
import { asksToReturnSql, hasNewsConsentSql } from '#server/db/news-consent.ts'
import type { Letter } from '#server/outbox/emails/letter.ts'
import * as letters from '#server/outbox/emails/letters.ts'

export const emailModels = [
  'assinatura',
  'lembrete',
  'repetida',
  'novidades',
  'voluntario',
  'influenciador',
  'lider',
] as const
export type EmailModel = (typeof emailModels)[number]

/** Links that the letter may carry, for the one it is written to. */
export interface LetterLinks {
  confirmUrl: string
  removeUrl: string
}

export interface AddressedRecord {
  email: string
  emailCanonico: string
  /** What the number of e-mails is limited for: the campaign, or the form. */
  campanha: string
  write(links: LetterLinks): Letter
}

export interface RecordDeps {
  database: Database
  site: Site
  publicUrl: string
}

interface SignedRow {
  nome: string
  email: string
  emailCanonico: string
  campanha: string
  confirmadoEm: Date | null
  titulo: string | null
  subtitulo: string | null
  themeColor: string | null
}

const signatureSql = `
  select nome, email, "emailCanonico", campanha, "confirmadoEm", titulo, subtitulo, "themeColor"
  from peticoes p left join campaigns on slug = campanha where p.id = $1`

interface FormRow {
  nome: string
  email: string
  emailCanonico: string
  tasks: string[]
  asksToReturn: boolean
}

const formSql = (table: string, { nome, tasks }: { nome: string; tasks: string }) =>
  `select ${nome} as nome, email, "emailCanonico", ${tasks} as tasks, ${asksToReturnSql('p')} as "asksToReturn" from ${table} p where id = $1`

const forms = {
  voluntario: formSql('contacts', { nome: 'name', tasks: 'tasks' }),
  influenciador: formSql('influenciadores', { nome: 'name', tasks: 'tasks' }),
  lider: formSql('lideres', { nome: 'nome', tasks: `'{}'::text[]` }),
}

/** What stands for a campaign where there is none. No slug begins with this sign. */
export const subjectOfForm = (model: keyof typeof forms) => `#${model}`

export function createRecords({ database, site, publicUrl }: RecordDeps) {
  async function signature(model: 'assinatura' | 'lembrete' | 'repetida' | 'novidades', id: string) {
    // Whoever was subscribed in the meantime is not asked about it.
    const [row] =
      model === 'novidades'
        ? await database.query<SignedRow>(
            'email-news',
            `${signatureSql} and not (${hasNewsConsentSql('p', 'aceita')})`,
            [id],
          )
        : await database.query<SignedRow>('email-signature', signatureSql, [id])
    if (!row || (model === 'lembrete' && row.confirmadoEm)) return undefined
    const { nome, email, emailCanonico, campanha, confirmadoEm, titulo, subtitulo, themeColor } = row
    const campaign = {
      titulo: titulo ?? campanha,
      subtitulo,
      themeColor: themeColor ?? 'red',
      url: publicUrl + campaignPath(campanha, site.deputado.slug),
    }
    const write = {
      assinatura: letters.thankYou,
      lembrete: letters.reminder,
      repetida: letters.repeatNotice,
      novidades: letters.newsConfirmation,
    }[model]
    return {
      email,
      emailCanonico,
      campanha,
      write: (links: LetterLinks) => write({ nome, campaign, isConfirmed: confirmadoEm !== null, ...links }),
    }
  }

  async function form(model: keyof typeof forms, id: string) {
    const [row] = await database.query<FormRow>(`email-${model}`, forms[model], [id])
    if (!row) return undefined
    const { nome, email, emailCanonico, tasks, asksToReturn } = row
    const letter = () => {
      if (model === 'voluntario') return letters.volunteerWelcome({ name: nome, tasks }, site)
      return model === 'lider'
        ? letters.leaderReceived({ nome }, site)
        : letters.influencerReceived({ name: nome }, site)
    }
    const write = ({ confirmUrl }: LetterLinks) => (asksToReturn ? letters.withReturn(letter(), confirmUrl) : letter())
    return { email, emailCanonico, campanha: subjectOfForm(model), write }
  }

  return {
    find(model: EmailModel, id: string): Promise<AddressedRecord | undefined> {
      return model in forms
        ? form(model as keyof typeof forms, id)
        : signature(model as Parameters<typeof signature>[0], id)
    },
  }
}

export type Records = ReturnType<typeof createRecords>
