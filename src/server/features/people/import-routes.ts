// Routes of imports of people.
import { exportContentType } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  cancelImport,
  exportRejections,
  importLimits,
  listImports,
  previewImport,
  readImport,
  stageImport,
  startImport,
} from '#contract/admin/people-import.ts'
import type { Deps } from '#server/deps.ts'
import { createImportRunner } from '#server/features/people/import-runner.ts'
import { createImports } from '#server/features/people/imports.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'
import { mountStream } from '#server/http/mount-stream.ts'
import { mountFileUpload } from '#server/http/uploads.ts'

const { imports: texts } = adminMessages
const rule = { field: 'arquivo', maxBytes: importLimits.bytes, texts }

export function registerImports(app: App, { database, config, log, throttle, deliveries }: Deps): void {
  const imports = createImports({ database, config })
  const runner = createImportRunner({
    ...{ database, log, throttle, recordAudit: app.recordAudit },
    settingsOf: imports.settingsOf,
    onQueued: deliveries.wake,
  })
  app.addHook('onReady', async () => runner.start())
  app.addHook('onClose', () => runner.stop())

  mountFileUpload(app, { endpoint: stageImport, rule }, async (body, { upload, administrator, audit }) => ({
    success: true,
    id: await imports.stage({ ...body, file: upload, author: administrator.username }, audit),
  }))

  mountForAdministrators(app, listImports, async () => ({ success: true, importacoes: await imports.list() }))

  mountForAdministrators(app, readImport, async (_, { params: { id } }) => ({
    success: true,
    ...(await imports.read(id)),
  }))

  mountForAdministrators(app, previewImport, async (_, { params: { id }, query: { mapeamento } }) => ({
    success: true,
    ...(await imports.preview(id, mapeamento)),
  }))

  mountForAdministrators(app, startImport, async (start, { params: { id }, audit }) => {
    await imports.start(id, start, audit)
    runner.wake()
    return { success: true, message: texts.started }
  })

  mountForAdministrators(app, cancelImport, async (_, { params: { id }, audit }) => {
    await imports.cancel(id, audit)
    return { success: true, message: texts.cancelled }
  })

  mountStream(app, { endpoint: exportRejections, contentType: exportContentType }, async ({ params, about }) => {
    about(`importação ${params.id}`)
    return imports.rejections(params.id)
  })
}
