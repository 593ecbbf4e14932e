// Tells the owner of an account by e-mail that its passwords are being guessed, at most once a day.
import { adminPaths } from '#contract/admin/paths.ts'
import type { Log } from '#server/core/log.ts'
import { formatNoticeTime, type NoticeDeps, sendDailyNotice } from '#server/features/admin/daily-notice.ts'
import type { EmailContent } from '#server/outbox/email/email-layout.ts'

interface GuessNoticeDeps extends NoticeDeps {
  publicUrl: string
  log: Log
}

export function createGuessNotice({ database, mail, publicUrl, log }: GuessNoticeDeps) {
  const loginUrl = publicUrl + adminPaths.login
  return {
    /** Returns at once: neither the login nor its time depends on the mail server. */
    notify(accountId: number): void {
      const sent = sendDailyNotice(
        { database, mail },
        { accountId, urgency: 'mild', contentOf: (account, movimento) => contentOf(account, { movimento, loginUrl }) },
      )
      sent.catch((error: unknown) => {
        if (!mail.isClosing()) log.warn({ err: error }, 'notice of refused passwords not sent')
      })
    },
  }
}

interface Account {
  username: string
  refusedCount: number
  refusedSince: Date | null
}

function contentOf(account: Account, { movimento, loginUrl }: { movimento: string; loginUrl: string }): EmailContent {
  const { username, refusedCount, refusedSince } = account
  const [from, to] = [formatNoticeTime(refusedSince ?? new Date()), formatNoticeTime(new Date())]
  return {
    subject: 'Muitas senhas erradas na sua conta de administração',
    preview: 'Alguém errou muitas vezes a senha da sua conta. Nenhuma delas serviu.',
    title: 'Muitas senhas erradas na sua conta',
    theme: 'ink',
    blocks: [
      {
        kind: 'text',
        text: `A conta “${username}” da área administrativa do ${movimento} teve ${refusedCount} senhas recusadas entre ${from} e ${to} (horário de Brasília).`,
      },
      {
        kind: 'text',
        text: 'Nenhuma delas serviu. Por segurança, durante até uma hora a conta só aceita entradas de navegadores em que você já entrou. As sessões abertas continuam.',
      },
      {
        kind: 'text',
        text: 'Se foi você quem errou, entre por um navegador que já usou ou espere uma hora. Se esqueceu a senha, peça a alguém da equipe uma senha nova.',
      },
      {
        kind: 'text',
        text: 'Se não foi você: entre por um navegador que já usou, abra “Minha conta” e troque a sua senha por uma longa, que você não use em nenhum outro lugar. Avise a coordenação, e não passe a senha a ninguém.',
      },
      { kind: 'button', link: { label: 'Entrar na administração', href: loginUrl } },
      {
        kind: 'small',
        text: 'Este aviso vai no máximo uma vez por dia. As senhas recusadas ficam contadas em Registro.',
      },
    ],
  }
}
