// What the links of e-mails do once their button is pressed. Pressing it again does no more and says the same.
import type { EmailLinkAction } from '#contract/email-links.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'

export interface EmailLinks {
  confirm(token: string): Promise<void>
  remove(token: string): Promise<void>
  unsubscribe(token: string): Promise<void>
}

export interface EmailLinkDeps {
  database: Database
  removeSignature(id: string): Promise<unknown>
}

interface KnownLink {
  endereco: Buffer
  registro: string
}

export function createEmailLinks({ database, removeSignature }: EmailLinkDeps): EmailLinks {
  async function open(token: string, action: EmailLinkAction): Promise<KnownLink> {
    const [link] = await database.query<KnownLink>(
      'open-email-link',
      'select endereco, registro from email_tokens where digest = $1 and acao = $2 and "expiraEm" > now()',
      [digestOf(token), action],
    )
    if (!link) throw new AppError('not-found', messages.emailLinks.expired)
    return link
  }

  return {
    async confirm(token) {
      const { registro } = await open(token, 'confirmar')
      const confirmed = await database.query(
        'confirm-signature',
        'update peticoes set "confirmadoEm" = coalesce("confirmadoEm", now()) where id = $1 returning id',
        [registro],
      )
      if (confirmed.length === 0) throw new AppError('not-found', messages.emailLinks.expired)
    },
    async remove(token) {
      const { registro } = await open(token, 'remover')
      await removeSignature(registro)
    },
    async unsubscribe(token) {
      const { endereco } = await open(token, 'descadastrar')
      await database.query(
        'unsubscribe',
        `insert into enderecos (endereco, "descadastradoEm") values ($1, now())
        on conflict (endereco) do update set "descadastradoEm" = coalesce(enderecos."descadastradoEm", now())`,
        [endereco],
      )
    },
  }
}
