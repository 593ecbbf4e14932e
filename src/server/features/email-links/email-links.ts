// What the links of e-mails do once their button is pressed. Pressing it again does no more and says the same.
import { sql } from 'drizzle-orm'
import { type EmailLinkAction, emailLinkMessages } from '#contract/email-links.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { queueSheetUpdate, queueSheetUpdatesByDigest, queueSheetUpdatesOf } from '#server/outbox/sheet-updates.ts'

export interface LinkState {
  campanha: { titulo: string; slug: string } | null
  tipo: 'assinatura' | 'novidades' | 'cadastro'
  /** There is nothing left that its button could do. */
  usado: boolean
  saiu: 'novidades' | 'tudo' | null
}

export interface EmailLinks {
  read(token: string, action: EmailLinkAction): Promise<LinkState>
  /** Says what was confirmed: a signature, the news box of a repeated one, or that a form's news are wanted again. */
  confirm(token: string): Promise<LinkState['tipo']>
  remove(token: string): Promise<void>
  /** From news and reminders; with `everything`, from every e-mail for good. */
  unsubscribe(token: string, scope: 'news' | 'everything'): Promise<void>
}

export interface EmailLinkDeps {
  database: Database
  log: Log
  removals: RemovalJournal
  removeSignature(id: string): Promise<unknown>
  /** Something waits to be delivered. */
  onQueued(): void
}

interface KnownLink {
  digest: Buffer
  endereco: Buffer
  registro: string
  asksForNews: boolean
}

const formRecord = `(
  select id, "emailCanonico", "aceitaNovidades", "createdAt" from contacts
  union all select id, "emailCanonico", "aceitaNovidades", "createdAt" from influenciadores
  union all select id, "emailCanonico", "aceitaNovidades", "createdAt" from lideres)`

// A link may be about a signature or about any other form.
const readState = `
select titulo, campanha as slug, "confirmadoEm" is not null as confirmed, p.id is not null as "isSigned",
  form.id is not null as "isForm", coalesce(p."aceitaNovidades", false) as "isTicked",
  "descadastradoEm" is not null as "hasLeft", "doNotContactAt" is not null as "isSilent",
  coalesce("descadastradoEm" >= coalesce(link."newsAskedAt", form."createdAt"), false) as "leftSince"
from email_tokens link
left join peticoes p on p.id = link.registro left join campaigns on slug = campanha
left join lateral (select * from ${formRecord} forms where forms.id = link.registro) form on true
left join enderecos on enderecos.endereco = link.endereco
where link.digest = $1`

interface StateRow {
  titulo: string | null
  slug: string | null
  confirmed: boolean
  isSigned: boolean
  isForm: boolean
  isTicked: boolean
  hasLeft: boolean
  isSilent: boolean
  /** The mailbox has left after the news were asked for that the link would accept. */
  leftSince: boolean
}

export function createEmailLinks({ database, log, removals, removeSignature, onQueued }: EmailLinkDeps): EmailLinks {
  async function open(token: string, action: EmailLinkAction): Promise<KnownLink> {
    const [link] = await database.query<KnownLink & { isValid: boolean }>(
      'open-email-link',
      `select digest, endereco, registro, "newsAskedAt" is not null as "asksForNews", "expiraEm" > now() as "isValid"
      from email_tokens where digest = $1 and acao = $2`,
      [digestOf(token), action],
    )
    if (!link) throw new AppError('not-found', emailLinkMessages.unknown)
    if (!link.isValid) throw new AppError('gone', emailLinkMessages.expired)
    return link
  }

  return {
    async read(token, action) {
      const { digest, asksForNews } = await open(token, action)
      const [row] = await database.query<StateRow>('read-email-link', readState, [digest])
      // Expired links are deleted at some time, perhaps just now.
      if (!row) throw new AppError('not-found', emailLinkMessages.unknown)
      const { titulo, slug, confirmed, isSigned, isForm, isTicked, hasLeft, isSilent, leftSince } = row
      const tipo = isForm ? 'cadastro' : asksForNews ? 'novidades' : 'assinatura'
      if (action === 'confirmar') {
        if (!isSigned && !isForm) throw new AppError('gone', emailLinkMessages.alreadyRemoved)
        if (tipo !== 'assinatura' && (isSilent || leftSince)) throw new AppError('gone', emailLinkMessages.expired)
      }
      const isConfirmed = { assinatura: confirmed, novidades: isTicked && !hasLeft, cadastro: !hasLeft }
      const isUsed = { confirmar: isConfirmed[tipo], remover: !isSigned, descadastrar: isSilent }
      return {
        campanha: slug === null ? null : { titulo: titulo ?? slug, slug },
        tipo,
        usado: isUsed[action],
        saiu: isSilent ? 'tudo' : hasLeft ? 'novidades' : null,
      }
    },

    async confirm(token) {
      const link = await open(token, 'confirmar')
      const { endereco, registro, asksForNews } = link
      const subject = await database.transaction(async (tx) => {
        if (asksForNews) return (await acceptNews(tx, link)) ? 'novidades' : undefined
        const { rows } = await tx.execute<{ emailCanonico: string; returns: boolean }>(sql`
          with confirmed as (
            update peticoes set "confirmadoEm" = coalesce("confirmadoEm", now()) where id = ${registro}
            returning "emailCanonico", "aceitaNovidades", "createdAt"),
          returned as (
            update enderecos set "descadastradoEm" = null from confirmed
            where endereco = ${endereco} and "aceitaNovidades" and "descadastradoEm" < "createdAt" and "doNotContactAt" is null
            returning endereco)
          select "emailCanonico", exists (select from returned) as returns from confirmed`)
        const [confirmed] = rows
        if (!confirmed) return (await returnByForm(tx, link)) ? 'cadastro' : undefined
        if (confirmed.returns) await queueSheetUpdatesOf(tx, mailboxOf(confirmed.emailCanonico))
        else await queueSheetUpdate(tx, registro)
        return 'assinatura'
      })
      if (!subject) throw new AppError('gone', emailLinkMessages.alreadyRemoved)
      onQueued()
      return subject
    },

    async remove(token) {
      const { registro } = await open(token, 'remover')
      await removeSignature(registro)
    },

    async unsubscribe(token, scope) {
      const { endereco, registro } = await open(token, 'descadastrar')
      await removals.append(scope, endereco)
      const mailbox = await database.transaction(async (tx) => {
        if (!(await leave(tx, endereco, scope))) return 'unchanged'
        const known = await mailboxOfRecord(tx, registro)
        if (known !== undefined) await queueSheetUpdatesOf(tx, known)
        return known
      })
      onQueued()
      // The record that the link came with was erased; others of the mailbox may be left, which its digest alone can find.
      if (mailbox === undefined) {
        queueSheetUpdatesByDigest(database, endereco).then(onQueued, (error) =>
          log.warn({ err: error }, 'spreadsheet rows of an unsubscribed mailbox not found'),
        )
      }
    },
  }
}

/** False: there is no such signature any more. Refuses if the mailbox has left after it was asked, or wants no e-mail. */
async function acceptNews(tx: Pick<Orm, 'execute'>, { digest, endereco, registro }: KnownLink): Promise<boolean> {
  const { rows: returned } = await tx.execute(sql`
    update enderecos set "descadastradoEm" = null
    where endereco = ${endereco} and "doNotContactAt" is null
      and "descadastradoEm" < (select "newsAskedAt" from email_tokens where digest = ${digest})
    returning 1 as returned`)
  await refuseIfLeft(tx, endereco)
  const { rows } = await tx.execute<{ emailCanonico: string }>(sql`
    update peticoes set "confirmadoEm" = coalesce("confirmadoEm", now()), "aceitaNovidades" = true where id = ${registro}
    returning "emailCanonico"`)
  const [signature] = rows
  if (!signature) return false
  if (returned.length > 0) await queueSheetUpdatesOf(tx, mailboxOf(signature.emailCanonico))
  else await queueSheetUpdate(tx, registro)
  return true
}

async function refuseIfLeft(tx: Pick<Orm, 'execute'>, endereco: Buffer): Promise<void> {
  const { rows } = await tx.execute(
    sql`select from enderecos where endereco = ${endereco} and ("descadastradoEm" is not null or "doNotContactAt" is not null)`,
  )
  if (rows.length > 0) throw new AppError('gone', emailLinkMessages.expired)
}

/** False: there is no such record any more. Refuses if the mailbox has left after the form was sent, or wants no e-mail. */
async function returnByForm(tx: Pick<Orm, 'execute'>, { endereco, registro }: KnownLink): Promise<boolean> {
  const { rows } = await tx.execute<{ emailCanonico: string; returns: boolean }>(sql`
    with form as (select * from ${sql.raw(formRecord)} form where id = ${registro}),
    returned as (
      update enderecos set "descadastradoEm" = null from form
      where endereco = ${endereco} and "aceitaNovidades" and "descadastradoEm" < "createdAt" and "doNotContactAt" is null
      returning endereco)
    select "emailCanonico", exists (select from returned) as returns from form`)
  const [form] = rows
  if (!form) return false
  await refuseIfLeft(tx, endereco)
  if (form.returns) await queueSheetUpdatesOf(tx, mailboxOf(form.emailCanonico))
  return true
}

/** Says whether anything changed. */
async function leave(tx: Pick<Orm, 'execute'>, endereco: Buffer, scope: 'news' | 'everything'): Promise<boolean> {
  const { rows } = await tx.execute(
    scope === 'news'
      ? sql`insert into enderecos (endereco, "descadastradoEm") values (${endereco}, now())
          on conflict (endereco) do update set "descadastradoEm" = now() where enderecos."descadastradoEm" is null returning 1 as changed`
      : sql`insert into enderecos (endereco, "descadastradoEm", "doNotContactAt") values (${endereco}, now(), now())
          on conflict (endereco) do update set "descadastradoEm" = coalesce(enderecos."descadastradoEm", now()), "doNotContactAt" = now()
          where enderecos."doNotContactAt" is null returning 1 as changed`,
  )
  return rows.length > 0
}

async function mailboxOfRecord(tx: Pick<Orm, 'execute'>, id: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ emailCanonico: string }>(sql`
    select "emailCanonico" from peticoes where id = ${id}
    union all select "emailCanonico" from contacts where id = ${id}
    union all select "emailCanonico" from influenciadores where id = ${id}
    union all select "emailCanonico" from lideres where id = ${id}`)
  return rows[0] && mailboxOf(rows[0].emailCanonico)
}
