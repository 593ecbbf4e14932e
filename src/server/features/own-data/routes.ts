// Routes of a person's own data: request of the link, and what its holder can see and do.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { httpMessages } from '#contract/messages.ts'
import {
  downloadOwnData,
  eraseOwnData,
  ownDataMessages,
  type RecordKind,
  readOwnData,
  recordKinds,
  requestOwnData,
  withdrawOwnSignature,
} from '#contract/own-data.ts'
import { correctOwnRecord } from '#contract/own-data-corrections.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Orm } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { auditOwnAction, type CorrectionDeps, createCorrections } from '#server/features/own-data/corrections.ts'
import { createOwnData } from '#server/features/own-data/own-data.ts'
import { createOwnDataLinks } from '#server/features/own-data/own-data-link.ts'
import { type App, mount } from '#server/http/mount.ts'
import { enqueue } from '#server/outbox/queue/kinds.ts'

interface OwnDataParts {
  petitions: { removeSignature(id: string, inTransaction: (tx: Orm) => Promise<void>): Promise<boolean> }
  /** Provided by the people feature, as `reindex`. */
  personErasure: Pick<CorrectionDeps, 'erasePerson'>
  reindex(tx: Orm, kind: RecordKind, id: string): Promise<void>
}

export function registerOwnData(app: App, deps: Deps, { petitions, personErasure, reindex }: OwnDataParts): void {
  const { database, config, metrics, deliveries } = deps
  const links = createOwnDataLinks(database)
  const ownData = createOwnData({ database, links, config })
  const corrections = createCorrections({
    database,
    links,
    removeSignature: petitions.removeSignature,
    reindex,
    erasePerson: personErasure.erasePerson,
    onQueued: deliveries.wake,
  })

  /** The holder of a link could otherwise fill the audit log, or the connections of the database. */
  function admit(key: string): void {
    if (app.admitMailbox(key)) return
    metrics.shed('mailbox')
    throw new AppError('too-many', httpMessages.tooMany)
  }
  const admitLink = (token: string) => admit(`meus-dados ${token}`)

  mount(app, requestOwnData, async ({ email }) => {
    admit(mailboxOf(canonicalizeEmail(email)))
    // Nothing is looked up here: the answer and its time are the same for addresses that we know and others.
    await enqueue(database, 'meus-dados', { email })
    deliveries.wake()
    return { success: true, message: ownDataMessages.requested }
  })

  mount(app, readOwnData, async (_, { params }) => {
    admitLink(params.token)
    return ownData.read(params.token)
  })

  mount(app, downloadOwnData, async (_, { params: { token } }) => {
    admitLink(token)
    const found = await ownData.read(token)
    const target = `cadastros: ${found.registros.length}, conversas: ${found.conversas.length}`
    await database.transaction(async (tx) => {
      // Further downloads by the same link are not in the audit log, whose entries are never deleted.
      const { rowCount } = await tx.execute(sql`
        update email_tokens set "downloadedAt" = now() where digest = ${digestOf(token)} and "downloadedAt" is null`)
      if (rowCount) await auditOwnAction(tx, { action: adminMessages.auditLog.ownDataDownloaded, target })
    })
    return found
  })

  for (const tipo of recordKinds)
    mount(app, correctOwnRecord(tipo), async (values, { params: { token, id } }) => {
      admitLink(token)
      await corrections.correct(token, { tipo, id, values })
      return { success: true, message: ownDataMessages.corrected }
    })

  mount(app, withdrawOwnSignature, async (_, { params: { token, id } }) => {
    admitLink(token)
    await corrections.withdraw(token, id)
    return { success: true, message: ownDataMessages.withdrawn }
  })

  mount(app, eraseOwnData, async (_, { params }) => {
    admitLink(params.token)
    await corrections.eraseAll(params.token)
    return { success: true, message: ownDataMessages.erased }
  })
}
