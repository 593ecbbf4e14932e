// Tells the owner of an account by e-mail what happened to its second factor.
import { eq } from 'drizzle-orm'
import { adminPaths } from '#contract/admin/paths.ts'
import type { Log } from '#server/core/log.ts'
import { adminRecoveryCodes, adminUsers } from '#server/db/schema.ts'
import { formatNoticeTime, type NoticeDeps, sendDailyNotice } from '#server/features/admin/daily-notice.ts'
import type { EmailContent } from '#server/outbox/email/email-layout.ts'

type Event =
  | { kind: 'turned-on' | 'turned-off' | 'app-removed' }
  | { kind: 'passkey-added'; name: string }
  | { kind: 'passkey-removed'; name: string; isOff: boolean }
  | { kind: 'removed'; by: string }
  | { kind: 'recovery-code-used' | 'codes-refused' }

interface Owner {
  username: string
  /** Unused recovery codes. */
  codes?: number
}

interface SecondFactorNoticeDeps extends NoticeDeps {
  publicUrl: string
  log: Log
}

export type SecondFactorNotices = ReturnType<typeof createSecondFactorNotices>

export function createSecondFactorNotices({ database, mail, publicUrl, log }: SecondFactorNoticeDeps) {
  function contentOf(event: Event, { username, codes = 0 }: Owner, movimento: string): EmailContent {
    const { subject, what, advice } = textsOf(event, { username, movimento, codes, time: formatNoticeTime(new Date()) })
    return {
      ...{ subject, preview: what, title: subject, theme: 'ink' },
      blocks: [
        { kind: 'text', text: what },
        { kind: 'text', text: advice },
        { kind: 'button', link: { label: 'Entrar na administração', href: publicUrl + adminPaths.login } },
      ],
    }
  }

  async function send(id: number, event: Event): Promise<void> {
    if (event.kind === 'codes-refused')
      return sendDailyNotice(
        { database, mail },
        {
          ...{ accountId: id, urgency: 'serious' },
          contentOf: (account, movimento) => contentOf(event, account, movimento),
        },
      )
    const { username, email } = adminUsers
    const [account] = await database.orm.select({ username, email }).from(adminUsers).where(eq(adminUsers.id, id))
    const codes = await database.orm.$count(adminRecoveryCodes, eq(adminRecoveryCodes.adminUserId, id))
    if (account) await mail.send(account.email, (movimento) => contentOf(event, { ...account, codes }, movimento))
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

interface Facts extends Required<Owner> {
  movimento: string
  time: string
}

const ifNotYou =
  'Se não foi você, peça agora a alguém da equipe uma senha nova e que retire a verificação em duas etapas da sua conta. Depois, ligue-a de novo.'

function textsOf(event: Event, { username, codes, movimento, time }: Facts) {
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
        what: `Alguém usou a senha e um código de recuperação ${account} ${when}.`,
        advice: `${leftText(codes)} ${ifNotYou}`,
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
