// Tells the owner of an account by e-mail that its passwords are being guessed, at most once a day.
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin/paths.ts'
import { minuteOf } from '#server/core/brazil-time.ts'
import { adminUsers } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { type AccountMailDeps, createAccountMail } from '#server/features/admin/account-mail.ts'
import type { EmailContent } from '#server/outbox/email/email-layout.ts'

interface GuessNoticeDeps extends AccountMailDeps, Pick<Deps, 'database'> {}

export function createGuessNotice({ database, ...deps }: GuessNoticeDeps) {
  const { publicUrl, log } = deps
  const mail = createAccountMail(deps)
  const { orm } = database
  const { id, refusedNoticeAt } = adminUsers

  /** One node of all claims the notice of the day. */
  async function claim(accountId: number) {
    const [claimed] = await orm
      .update(adminUsers)
      .set({ refusedNoticeAt: sql`now()` })
      .where(and(eq(id, accountId), or(isNull(refusedNoticeAt), lt(refusedNoticeAt, sql`now() - interval '1 day'`))))
      .returning()
    return claimed
  }

  async function send(accountId: number): Promise<void> {
    const account = await claim(accountId)
    if (!account) return
    const loginUrl = publicUrl + adminPaths.login
    if (await mail.send(account.email, (movimento) => contentOf(account, { movimento, loginUrl }))) return
    // The next hour in which the limit is reached tries again.
    await orm.update(adminUsers).set({ refusedNoticeAt: null }).where(eq(id, accountId))
  }

  return {
    /** Returns at once: neither the login nor its time depends on the mail server. */
    notify(accountId: number): void {
      send(accountId).catch((error: unknown) => {
        if (!mail.isClosing()) log.warn({ err: error }, 'notice of refused passwords not sent')
      })
    },
    /** Gives up notices that wait for another try. */
    close: mail.close,
  }
}

interface Account {
  username: string
  refusedCount: number
  refusedSince: Date | null
}

function contentOf(account: Account, { movimento, loginUrl }: { movimento: string; loginUrl: string }): EmailContent {
  const { username, refusedCount, refusedSince } = account
  const [from, to] = [formatted(refusedSince ?? new Date()), formatted(new Date())]
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
        text: 'Se não foi você: entre por um navegador que já usou, abra Equipe e troque a sua senha por uma longa, que você não use em nenhum outro lugar. Avise a coordenação, e não passe a senha a ninguém.',
      },
      { kind: 'button', link: { label: 'Entrar na administração', href: loginUrl } },
      {
        kind: 'small',
        text: 'Este aviso vai no máximo uma vez por dia. As senhas recusadas ficam contadas em Registro.',
      },
    ],
  }
}

/** `19/11/2026 às 14h05`, in Brazil. */
function formatted(time: Date): string {
  const [, year, month, day, hour, minutes] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)$/.exec(minuteOf(time)) ?? []
  return `${day}/${month}/${year} às ${hour}h${minutes}`
}
