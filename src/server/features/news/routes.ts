// Routes of the admin area for campaign news.
import { adminMessages } from '#contract/admin/messages.ts'
import {
  cancelSend,
  countRecipients,
  createNews,
  deleteNews,
  listAdminNews,
  listSegments,
  pauseSend,
  previewNews,
  publishNews,
  readAdminNews,
  readNewsResults,
  readSend,
  removeSegment,
  resumeSend,
  saveSegment,
  scheduleNews,
  showNews,
  testNews,
  unscheduleNews,
  updateNews,
} from '#contract/admin/news.ts'
import { AppError } from '#server/core/errors.ts'
import type { Deps } from '#server/deps.ts'
import { createPreparation } from '#server/features/news/preparation.ts'
import { createPublishing } from '#server/features/news/publishing.ts'
import { createResults } from '#server/features/news/results.ts'
import { createSegments } from '#server/features/news/segments.ts'
import { createSendState } from '#server/features/news/send-state.ts'
import { createStoredNews, lockNews } from '#server/features/news/stored-news.ts'
import { createTestEmail } from '#server/features/news/test-email.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

const { news: texts } = adminMessages

interface NewsParts {
  /** The clock and the period of the schedule. */
  now: () => Date
  scheduleMs: number
  /** Called after a change that public pages show. */
  onPublicChange(): void
}

export function registerNews(app: App, deps: Deps, { now, scheduleMs, onPublicChange }: NewsParts): void {
  const { config, database, deliveries, log, mailer, site, throttle } = deps
  const preparation = createPreparation({ database, log, throttle, onReady: deliveries.wake })
  function continueSends(): void {
    preparation.wake()
    deliveries.wake()
  }
  const sends = createSendState({
    ...{ database, site, emailsPerMinute: config.emailsPerMinute },
    onChanged: continueSends,
  })
  const stored = createStoredNews({ database, sends, onPublicChange })
  const publishing = createPublishing({
    ...{ database, log, stored, sends, now, scheduleMs },
    onPublished() {
      onPublicChange()
      app.responses.invalidate()
      continueSends()
    },
  })
  const results = createResults({ database, log })
  const segments = createSegments(database)
  const testEmail = createTestEmail({ database, mailer, site, publicUrl: config.publicUrl })

  app.addHook('onListen', async () => {
    preparation.start()
    publishing.schedule.start()
  })
  app.addHook('onClose', async () => {
    await publishing.schedule.stop()
    await preparation.stop()
  })

  mountForAdministrators(app, listAdminNews, async (_, { query }) => ({ success: true, ...(await stored.list(query)) }))

  mountForAdministrators(app, createNews, async (fields, { administrator: { username, role }, audit }) => ({
    success: true,
    message: texts.created,
    novidade: await stored.create(fields, { username, role, audit }),
  }))

  mountForAdministrators(app, listSegments, async () => ({ success: true, selecoes: await segments.list() }))

  mountForAdministrators(app, saveSegment, async (segment, { administrator: { username }, audit }) => {
    await segments.save({ ...segment, author: username }, audit)
    return { success: true, message: texts.segmentSaved }
  })

  mountForAdministrators(app, removeSegment, async (_, { params, audit }) => {
    await segments.remove(params.id, audit)
    return { success: true, message: texts.segmentRemoved }
  })

  mountForAdministrators(app, readAdminNews, async (_, { params }) => ({
    success: true,
    novidade: await stored.one(params.id),
  }))

  mountForAdministrators(app, updateNews, async (edit, { params, administrator: { username, role }, audit }) => ({
    success: true,
    message: texts.saved,
    novidade: await stored.update(params.id, edit, { username, role, audit }),
  }))

  mountForAdministrators(app, deleteNews, async (_, { params, administrator: { role }, audit }) => {
    await stored.remove(params.id, { role, audit })
    return { success: true, message: texts.deleted }
  })

  mountForAdministrators(app, publishNews, async ({ revisao }, { params, administrator: { role }, audit }) => ({
    success: true,
    message: texts.published,
    novidade: await publishing.publish(params.id, revisao, { role, audit }),
  }))

  mountForAdministrators(app, scheduleNews, async (schedule, { params, administrator: { role }, audit }) => ({
    success: true,
    message: texts.scheduled,
    novidade: await publishing.schedulePublication(params.id, schedule, { role, audit }),
  }))

  mountForAdministrators(app, unscheduleNews, async (_, { params, administrator: { role }, audit }) => ({
    success: true,
    message: texts.unscheduled,
    novidade: await publishing.unschedule(params.id, { role, audit }),
  }))

  mountForAdministrators(app, showNews, async ({ naPagina }, { params, administrator: { role }, audit }) => ({
    success: true,
    message: naPagina ? texts.shown : texts.hidden,
    novidade: await publishing.show(params.id, naPagina, { role, audit }),
  }))

  mountForAdministrators(app, previewNews, async (_, { params }) => ({
    success: true,
    ...(await testEmail.preview(params.id)),
  }))

  mountForAdministrators(app, testNews, async (_, { params, administrator, audit }) => ({
    success: true,
    message: texts.testSent(await testEmail.send(params.id, administrator, audit)),
  }))

  mountForAdministrators(app, countRecipients, async (_, { params: { id }, audit }) => {
    await database.transaction(async (tx) => {
      const row = await lockNews(tx, id)
      if (!row.byEmail) throw new AppError('conflict', texts.noEmail)
      if (row.status === 'published') throw new AppError('conflict', texts.alreadySending)
      await sends.prepare(tx, id, row.segment, { send: false })
      await audit(tx, row.title)
    })
    preparation.wake()
    return { success: true, message: texts.counting }
  })

  mountForAdministrators(app, readSend, async (_, { params: { id } }) => {
    const { envio } = await stored.one(id)
    return { success: true, envio }
  })

  for (const [endpoint, change, message] of [
    [pauseSend, sends.pause, texts.paused],
    [resumeSend, sends.resume, texts.resumed],
    [cancelSend, sends.cancel, texts.cancelled],
  ] as const)
    mountForAdministrators(app, endpoint, async (_, { params: { id }, audit }) => {
      const { titulo } = await stored.one(id)
      await change(id, { title: titulo, audit })
      return { success: true, message }
    })

  mountForAdministrators(app, readNewsResults, async (_, { params: { id } }) => ({
    success: true,
    porTipo: await results.of(await stored.one(id)),
  }))
}
