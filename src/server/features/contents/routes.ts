// Routes for campaign material to share and download, and for its management.
import {
  editContent,
  listManagedContents,
  publishContent,
  removeContent,
  reorderContents,
  showContent,
} from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { campaignPath } from '#contract/campaigns.ts'
import { listContents } from '#contract/contents.ts'
import { AppError } from '#server/core/errors.ts'
import type { Deps } from '#server/deps.ts'
import { createContents } from '#server/features/contents/contents.ts'
import { type App, mount, mountForAdministrators } from '#server/http/mount.ts'
import { mountUpload } from '#server/http/uploads.ts'

const { contents: texts } = adminMessages

export function registerContents(app: App, { database, site }: Deps): void {
  const contents = createContents(database)
  // The response cache reads at most once per period, and serves the last list while the database is unavailable.
  mount(app, listContents, async () => {
    const [rows, { deputado }] = await Promise.all([contents.active(), site.current()])
    return rows.map(({ content, campaign }) => ({
      ...content,
      ...(campaign && { peticao: { ...campaign, path: campaignPath(campaign.slug, deputado.slug) } }),
    }))
  })

  mountForAdministrators(app, listManagedContents, async () => ({ success: true, contents: await contents.all() }))

  mountUpload(app, publishContent, async (fields, { image, audit }) => {
    if (!image) throw new AppError('invalid', texts.image, { errors: { imagem: texts.image } })
    const content = await contents.publish(fields, image, audit)
    return { success: true, message: texts.saved, content }
  })

  mountUpload(app, editContent, async ({ updatedAt, ...fields }, { params: { id }, image, audit }) => {
    const content = await contents.edit({ id, updatedAt }, { fields, image }, audit)
    return { success: true, message: texts.saved, content }
  })

  mountForAdministrators(app, showContent, async ({ isActive }, { params: { id }, audit }) => {
    const content = await contents.show(id, isActive, audit)
    return { success: true, message: isActive ? texts.shown : texts.hidden, content }
  })

  mountForAdministrators(app, reorderContents, async ({ ids, antes }, { audit }) => {
    const reordered = await contents.reorder({ ids, before: antes }, audit)
    return { success: true, message: texts.reordered, contents: reordered }
  })

  mountForAdministrators(app, removeContent, async (_, { params: { id }, audit }) => {
    await contents.remove(id, audit)
    return { success: true, message: texts.removed }
  })
}
