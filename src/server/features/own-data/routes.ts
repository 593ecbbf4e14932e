// Routes of a person's own data: request of the link, and what its holder can see and do.
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
import type { Orm } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { auditOwnAction, type CorrectionDeps, createCorrections } from '#server/features/own-data/corrections.ts'
import { createOwnData } from '#server/features/own-data/own-data.ts'
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
  const ownData = createOwnData({ database, config })
  const corrections = createCorrections({
    database,
    removeSignature: petitions.removeSignature,
    reindex,
    erasePerson: personErasure.erasePerson,
    onQueued: deliveries.wake,
  })

  mount(app, requestOwnData, async ({ email }) => {
    if (!app.admitMailbox(mailboxOf(canonicalizeEmail(email)))) {
      metrics.shed('mailbox')
      throw new AppError('too-many', httpMessages.tooMany)
    }
    // Nothing is looked up here: the answer and its time are the same for addresses that we know and others.
    await enqueue(database, 'meus-dados', { email })
    deliveries.wake()
    return { success: true, message: ownDataMessages.requested }
  })

  mount(app, readOwnData, (_, { params }) => ownData.read(params.token))

  mount(app, downloadOwnData, async (_, { params }) => {
    const found = await ownData.read(params.token)
    const target = `cadastros: ${found.registros.length}, conversas: ${found.conversas.length}`
    await database.transaction((tx) => auditOwnAction(tx, { action: adminMessages.auditLog.ownDataDownloaded, target }))
    return found
  })

  for (const tipo of recordKinds)
    mount(app, correctOwnRecord(tipo), async (values, { params: { token, id } }) => {
      await corrections.correct(token, { tipo, id, values })
      return { success: true, message: ownDataMessages.corrected }
    })

  mount(app, withdrawOwnSignature, async (_, { params: { token, id } }) => {
    await corrections.withdraw(token, id)
    return { success: true, message: ownDataMessages.withdrawn }
  })

  mount(app, eraseOwnData, async (_, { params }) => {
    await corrections.eraseAll(params.token)
    return { success: true, message: ownDataMessages.erased }
  })
}
