// The actions behind the links in e-mails. They are idempotent: a repetition changes nothing and gets the same answer.
import { sql } from 'drizzle-orm'
import type { EmailLinkAction, EmailLinkState, keepChoice, NewsChoice } from '#contract/email-links.ts'
import { createBatchLookup } from '#server/core/batch-lookup.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { linkProblem } from '#server/core/link-problem.ts'
import type { Log } from '#server/core/log.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import { singleFlight } from '#server/core/single-flight.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { lockMailbox } from '#server/db/mailbox-lock.ts'
import { formTables, unionOf } from '#server/db/people-descriptors.ts'
import { changePreferences, readPreferences, shownPreferences } from '#server/features/email-links/preferences.ts'
import { queueSheetUpdate, queueSheetUpdatesByHmac, queueSheetUpdatesOf } from '#server/outbox/sheet/sheet-updates.ts'

type LinkState = Omit<EmailLinkState, 'success'>
type LinkedCampaign = NonNullable<LinkState['campanha']>

interface EmailLinkDeps {
  database: Database
  log: Log
  removals: RemovalJournal
  removeSignature(id: string): Promise<unknown>
  /** Called after deliveries were queued. */
  onQueued(): void
}

interface StoredLink {
  digest: Buffer
  addressHmac: Buffer
  recordId: string
  asksForNews: boolean
}

const formRecord = `(${unionOf(formTables, (table) => `select id, "canonicalEmail", "aceitaNovidades", "confirmadoEm", "createdAt", "importId" from ${table}`)})`

// A link belongs to a signature or to a record of any other form.
const stateQuery = `
select titulo, campanha as slug, "ogTitle", case when "isActive" then status else 'draft' end as status, "countingMode", "shareTexts", coalesce(p."confirmadoEm", form."confirmadoEm") is not null as confirmed, p.id is not null as "isSigned",
  form.id is not null as "isForm", coalesce(p."aceitaNovidades", false) as "acceptsNews",
  "unsubscribedAt" is not null as "isUnsubscribed", "doNotContactAt" is not null as "doNotContact",
  coalesce("unsubscribedAt" >= coalesce(link."newsAskedAt", form."createdAt"), false) as "unsubscribedSince"
from email_tokens link
left join peticoes p on p.id = link."recordId" left join campaigns on slug = campanha
left join lateral (select * from ${formRecord} forms where forms.id = link."recordId") form on true
left join enderecos on enderecos."addressHmac" = link."addressHmac"
where link.digest = $1`

interface StateRow {
  titulo: string | null
  slug: string | null
  ogTitle: string | null
  status: LinkedCampaign['status']
  countingMode: LinkedCampaign['countingMode'] | null
  shareTexts: LinkedCampaign['shareTexts'] | null
  confirmed: boolean
  isSigned: boolean
  isForm: boolean
  acceptsNews: boolean
  isUnsubscribed: boolean
  doNotContact: boolean
  /** The mailbox unsubscribed after the news request that this link confirms. */
  unsubscribedSince: boolean
}

interface FoundLink extends StoredLink {
  action: string
  isValid: boolean
}

const findByDigest = `
select digest, action, "addressHmac", "recordId", "newsAskedAt" is not null as "asksForNews", "expiresAt" > now() as "isValid"
from email_tokens where digest = any($1::bytea[])`

export function createEmailLinks({ database, log, removals, removeSignature, onQueued }: EmailLinkDeps) {
  const findLinks = (digests: Buffer[]) => database.query<FoundLink>('open-email-links', findByDigest, [digests])

  function check(link: FoundLink | undefined, action: EmailLinkAction): StoredLink {
    if (link?.action !== action) throw linkProblem('link-unknown')
    if (!link.isValid) throw linkProblem('link-expired')
    return link
  }

  async function findLink(token: string, action: EmailLinkAction): Promise<StoredLink> {
    const [link] = await findLinks([digestOf(token)])
    return check(link, action)
  }

  /** Anybody can open pages of invented links, and signing uses the same database connections. */
  const lookUp = createBatchLookup(async (digests) => {
    const links = await findLinks(digests.map((digest) => Buffer.from(digest, 'base64')))
    return new Map(links.map((link) => [link.digest.toString('base64'), link]))
  })
  const readOnce = singleFlight(async (key: string) => {
    const [action, token = ''] = key.split(' ') as [EmailLinkAction, string]
    return readState(token, action)
  })

  async function readState(token: string, action: EmailLinkAction): Promise<LinkState> {
    const link = check(await lookUp(digestOf(token).toString('base64')), action)
    const { digest, asksForNews } = link
    const preferences = action === 'descadastrar' ? await readPreferences(database.orm, link) : undefined
    const [row] = await database.query<StateRow>('read-email-link', stateQuery, [digest])
    // Expired links are deleted in the background, possibly since `findLink`.
    if (!row) throw linkProblem('link-unknown')
    const {
      titulo,
      slug,
      ogTitle,
      status,
      countingMode,
      shareTexts,
      confirmed,
      isSigned,
      isForm,
      acceptsNews,
      isUnsubscribed,
      doNotContact,
      unsubscribedSince,
    } = row
    const tipo = isForm ? (asksForNews ? 'volta' : 'cadastro') : asksForNews ? 'novidades' : 'assinatura'
    if (action === 'confirmar') {
      if (!isSigned && !isForm) throw linkProblem('link-already-removed')
      if (tipo !== 'assinatura' && (doNotContact || unsubscribedSince)) throw linkProblem('link-expired')
    }
    const isConfirmed = {
      assinatura: confirmed,
      novidades: acceptsNews && !isUnsubscribed,
      cadastro: confirmed && !isUnsubscribed,
      volta: !isUnsubscribed,
    }
    const isUsed = { confirmar: isConfirmed[tipo], remover: !isSigned, descadastrar: doNotContact }
    return {
      campanha:
        slug === null
          ? null
          : {
              titulo: titulo ?? slug,
              slug,
              ogTitle,
              status,
              countingMode: countingMode ?? 'signed',
              shareTexts: shareTexts ?? {},
            },
      tipo,
      usado: isUsed[action],
      saiu: doNotContact ? 'tudo' : isUnsubscribed ? 'novidades' : null,
      preferencias: preferences ? shownPreferences(preferences) : null,
    }
  }

  return {
    /** Requests for the same link at the same time share the queries. */
    read: (token: string, action: EmailLinkAction) => readOnce(`${action} ${token}`),

    /** Returns what was confirmed: a signature, the news consent of a repeated signature, or another form. */
    async confirm(token: string): Promise<LinkState['tipo']> {
      const link = await findLink(token, 'confirmar')
      const { addressHmac, recordId, asksForNews } = link
      const subject = await database.transaction(async (tx): Promise<LinkState['tipo']> => {
        await lockMailbox(tx, addressHmac)
        if (asksForNews) {
          if (await confirmForm(tx, link)) return 'volta'
          if (await acceptNews(tx, link)) return 'novidades'
          throw linkProblem('link-already-removed')
        }
        const { rows } = await tx.execute<{ canonicalEmail: string; resubscribes: boolean }>(sql`
          with confirmed as (
            update peticoes set "confirmadoEm" = coalesce("confirmadoEm", now()) where id = ${recordId}
            returning "canonicalEmail", "aceitaNovidades", "createdAt", "importId"),
          resubscribed as (
            update enderecos set "unsubscribedAt" = null from confirmed
            where "addressHmac" = ${addressHmac} and "aceitaNovidades" and "importId" is null and "unsubscribedAt" < "createdAt"
              and "doNotContactAt" is null
            returning "addressHmac")
          select "canonicalEmail", exists (select from resubscribed) as resubscribes from confirmed`)
        const [confirmed] = rows
        if (!confirmed) {
          if (await confirmForm(tx, link)) return 'cadastro'
          throw linkProblem('link-already-removed')
        }
        if (confirmed.resubscribes) await queueSheetUpdatesOf(tx, mailboxOf(confirmed.canonicalEmail))
        else await queueSheetUpdate(tx, recordId)
        return 'assinatura'
      })
      onQueued()
      return subject
    },

    async remove(token: string): Promise<void> {
      const { recordId } = await findLink(token, 'remover')
      await removeSignature(recordId)
    },

    /** Stores what the mailbox wants. */
    async choose(token: string, choice: NewsChoice | typeof keepChoice): Promise<void> {
      const link = await findLink(token, 'descadastrar')
      const before = await readPreferences(database.orm, link)
      // Written before the database: an entry too many does what the owner of the mailbox asked for.
      const { addressHmac } = link
      if (choice === 'nunca') await removals.appendRefusal({ choice: 'everything', addressHmac })
      if (choice === 'nenhuma') await removals.appendRefusal({ choice: 'news', addressHmac })
      if (choice === 'sem-campanha' && before?.campaign)
        await removals.appendRefusal({ choice: 'campaign', addressHmac, campaignId: before.campaign.id })
      const { hasChanged, mailbox } = await database.transaction(async (tx) => {
        const changed = await changePreferences(tx, link, choice)
        if (changed.hasChanged && changed.mailbox !== undefined) await queueSheetUpdatesOf(tx, changed.mailbox)
        return changed
      })
      onQueued()
      // The record of the link was erased. Other records of the mailbox may exist; only its HMAC can find them.
      if (hasChanged && mailbox === undefined) {
        queueSheetUpdatesByHmac(database, link.addressHmac).then(onQueued, (error) =>
          log.warn({ err: error }, 'spreadsheet rows of an unsubscribed mailbox not found'),
        )
      }
    },
  }
}

/** False if the signature no longer exists. Refuses if the mailbox unsubscribed later or wants no e-mail. */
async function acceptNews(tx: Pick<Orm, 'execute'>, { digest, addressHmac, recordId }: StoredLink): Promise<boolean> {
  const { rows: resubscribed } = await tx.execute(sql`
    update enderecos set "unsubscribedAt" = null
    where "addressHmac" = ${addressHmac} and "doNotContactAt" is null
      and "unsubscribedAt" < (select "newsAskedAt" from email_tokens where digest = ${digest})
    returning 1 as resubscribed`)
  await refuseIfUnsubscribed(tx, addressHmac)
  const { rows } = await tx.execute<{ canonicalEmail: string }>(sql`
    update peticoes set "confirmadoEm" = coalesce("confirmadoEm", now()), "aceitaNovidades" = true where id = ${recordId}
    returning "canonicalEmail"`)
  const [signature] = rows
  if (!signature) return false
  if (resubscribed.length > 0) await queueSheetUpdatesOf(tx, mailboxOf(signature.canonicalEmail))
  else await queueSheetUpdate(tx, recordId)
  return true
}

async function refuseIfUnsubscribed(tx: Pick<Orm, 'execute'>, addressHmac: Buffer): Promise<void> {
  const { rows } = await tx.execute(
    sql`select from enderecos where "addressHmac" = ${addressHmac} and ("unsubscribedAt" is not null or "doNotContactAt" is not null)`,
  )
  if (rows.length > 0) throw linkProblem('link-expired')
}

/**
 * Confirms the address of a form and subscribes its mailbox again. False if the record no longer exists. Refuses if the
 * mailbox unsubscribed after the form or wants no e-mail.
 */
async function confirmForm(tx: Pick<Orm, 'execute'>, { addressHmac, recordId }: StoredLink): Promise<boolean> {
  const { rows } = await tx.execute<{ canonicalEmail: string; resubscribes: boolean }>(sql`
    with form as (select * from ${sql.raw(formRecord)} form where id = ${recordId}),
    resubscribed as (
      update enderecos set "unsubscribedAt" = null from form
      where "addressHmac" = ${addressHmac} and "aceitaNovidades" and "importId" is null and "unsubscribedAt" < "createdAt"
        and "doNotContactAt" is null
      returning "addressHmac")
    select "canonicalEmail", exists (select from resubscribed) as resubscribes from form`)
  const [form] = rows
  if (!form) return false
  await refuseIfUnsubscribed(tx, addressHmac)
  await confirmFormRecord(tx, recordId)
  if (form.resubscribes) await queueSheetUpdatesOf(tx, mailboxOf(form.canonicalEmail))
  return true
}

async function confirmFormRecord(tx: Pick<Orm, 'execute'>, id: string): Promise<void> {
  const updates = formTables.map(
    ({ table }) =>
      sql`update ${sql.identifier(table)} set "confirmadoEm" = coalesce("confirmadoEm", now()) where id = ${id}`,
  )
  for (const update of updates) await tx.execute(update)
}
