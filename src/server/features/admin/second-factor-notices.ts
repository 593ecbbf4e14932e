// Tells the owner of an account by e-mail what happened to its second factor.
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin/paths.ts'
import { minuteOf } from '#server/core/brazil-time.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { adminUsers } from '#server/db/schema.ts'
import type { AccountMail } from '#server/features/admin/account-mail.ts'

type Event =
  | { kind: 'turned-on' | 'turned-off' | 'app-removed' }
  | { kind: 'passkey-added'; name: string }
  | { kind: 'passkey-removed'; name: string; isOff: boolean }
  | { kind: 'recovery-code-used'; left: number }
  | { kind: 'removed'; by: string }
  | { kind: 'codes-refused' }

interface NoticeDeps {
  database: Pick<Database, 'orm'>
  mail: AccountMail
  publicUrl: string
  log: Log
}

export type SecondFactorNotices = ReturnType<typeof createSecondFactorNotices>

export function createSecondFactorNotices({ database: { orm }, mail, publicUrl, log }: NoticeDeps) {
  /** Of refused codes, one node of all claims the notice of the day. It shares the time with refused passwords. */
  async function claim(id: number) {
    const { refusedNoticeAt } = adminUsers
    const isDue = or(isNull(refusedNoticeAt), lt(refusedNoticeAt, sql`now() - interval '1 day'`))
    const [account] = await orm
      .update(adminUsers)
      .set({ refusedNoticeAt: sql`now()` })
      .where(and(eq(adminUsers.id, id), isDue))
      .returning({ username: adminUsers.username, email: adminUsers.email })
    return account
  }

  async function send(id: number, event: Event): Promise<void> {
    const [found] = await orm
      .select({ username: adminUsers.username, email: adminUsers.email })
      .from(adminUsers)
      .where(eq(adminUsers.id, id))
    const account = event.kind === 'codes-refused' ? await claim(id) : found
    if (!account) return
    const time = formatted(new Date())
    const isSent = await mail.send(account.email, (movimento) => {
      const { subject, what, advice } = textsOf(event, { ...account, movimento, time })
      return {
        ...{ subject, preview: what, title: subject, theme: 'ink' },
        blocks: [
          { kind: 'text', text: what },
          { kind: 'text', text: advice },
          { kind: 'button', link: { label: 'Entrar na administração', href: publicUrl + adminPaths.login } },
        ],
      }
    })
    // The next hour in which the limit is reached tries again.
    if (!isSent && event.kind === 'codes-refused')
      await orm.update(adminUsers).set({ refusedNoticeAt: null }).where(eq(adminUsers.id, id))
  }

  return {
    /** Returns at once: nothing depends on the mail server. */
    notify(id: number, event: Event): void {
      send(id, event).catch((error: unknown) => {
        if (!mail.isClosing()) log.warn({ err: error }, 'notice of a second factor not sent')
      })
    },
  }
}

interface Facts {
  username: string
  movimento: string
  time: string
}

const ifNotYou =
  'Se não foi você, peça agora a alguém da equipe uma senha nova e que retire a verificação em duas etapas da sua conta. Depois, ligue-a de novo.'

function textsOf(event: Event, { username, movimento, time }: Facts) {
  const account = `da conta “${username}” da área administrativa do ${movimento}`
  const when = `em ${time} (horário de Brasília)`
  switch (event.kind) {
    case 'turned-on':
      return {
        subject: 'Verificação em duas etapas ligada',
        what: `A verificação em duas etapas ${account} foi ligada ${when}.`,
        advice: `A partir de agora, a entrada pede também uma segunda etapa, como o código do aplicativo. ${ifNotYou}`,
      }
    case 'turned-off':
      return {
        subject: 'Verificação em duas etapas desligada',
        what: `A verificação em duas etapas ${account} foi desligada ${when}.`,
        advice: `A partir de agora, a entrada pede só a senha. ${ifNotYou}`,
      }
    case 'app-removed':
      return {
        subject: 'Aplicativo de códigos desligado',
        what: `O aplicativo de códigos ${account} foi desligado ${when}.`,
        advice: `A entrada continua pedindo uma chave de acesso. ${ifNotYou}`,
      }
    case 'passkey-added':
      return {
        subject: 'Chave de acesso nova na sua conta',
        what: `A chave de acesso “${event.name}” ${account} foi adicionada ${when}.`,
        advice: `A partir de agora, ela serve como segunda etapa da entrada, depois da senha. ${ifNotYou}`,
      }
    case 'passkey-removed':
      return {
        subject: 'Chave de acesso retirada da sua conta',
        what: `A chave de acesso “${event.name}” ${account} foi retirada ${when}.`,
        advice: `${event.isOff ? 'Era a última segunda etapa: a entrada pede só a senha.' : 'A entrada continua pedindo uma segunda etapa.'} ${ifNotYou}`,
      }
    case 'recovery-code-used':
      return {
        subject: 'Um código de recuperação da sua conta foi usado',
        what: `Alguém entrou com a senha e um código de recuperação ${account} ${when}.`,
        advice: `${leftText(event.left)} ${ifNotYou}`,
      }
    case 'removed':
      return {
        subject: 'A verificação em duas etapas da sua conta foi retirada',
        what: `A verificação em duas etapas ${account} foi retirada ${when} por ${event.by}.`,
        advice: 'Ligue-a de novo em “Minha conta”. Se você não pediu isso, avise a coordenação.',
      }
    case 'codes-refused':
      return {
        subject: 'Alguém sabe a sua senha da administração',
        what: `Alguém digitou a senha certa ${account} e errou muitas vezes a segunda etapa (código ou chave de acesso), até ${time} (horário de Brasília).`,
        advice:
          'Nenhuma tentativa serviu. Se não foi você, entre e troque a sua senha agora por uma longa, que você não use em nenhum outro lugar, e avise a coordenação.',
      }
  }
}

function leftText(left: number): string {
  if (left === 0) return 'Foi o último: faça códigos novos em “Minha conta”.'
  return left === 1 ? 'Ainda resta 1 código.' : `Ainda restam ${left} códigos.`
}

/** `19/11/2026 às 14h05`, in Brazil. */
function formatted(time: Date): string {
  const [, year, month, day, hour, minutes] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)$/.exec(minuteOf(time)) ?? []
  return `${day}/${month}/${year} às ${hour}h${minutes}`
}
