// Campaign material to share and download, and how administrators keep it.
import {
  editContent,
  listManagedContents,
  publishContent,
  removeContent,
  reorderContents,
  showContent,
} from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { listContents } from '#contract/carousel.ts'
import { AppError } from '#server/core/errors.ts'
import type { Contents } from '#server/features/carousel/contents.ts'
import type { ManagedContents } from '#server/features/carousel/managed-contents.ts'
import { type App, mount, mountForAdministrators } from '#server/http/mount.ts'
import { mountUpload } from '#server/http/uploads.ts'

export interface CarouselServices {
  contents: Contents
  managed: ManagedContents
}

const { contents: sentences } = adminMessages

export function carouselRoutes(app: App, { contents, managed }: CarouselServices): void {
  mount(app, listContents, () => contents.active())

  /** Whoever has changed something sees it on the site at once. */
  function changed(): void {
    contents.expire()
    app.expirePages()
  }

  mountForAdministrators(app, listManagedContents, async () => ({ success: true, contents: await managed.all() }))

  mountUpload(app, publishContent, async (fields, { image, audit }) => {
    if (!image) throw new AppError('invalid', sentences.image, { imagem: sentences.image })
    const content = await managed.publish(fields, image, audit)
    changed()
    return { success: true, message: sentences.saved, content }
  })

  mountUpload(app, editContent, async ({ updatedAt, ...fields }, { params: { id }, image, audit }) => {
    const content = await managed.edit({ id, updatedAt }, { fields, image }, audit)
    changed()
    return { success: true, message: sentences.saved, content }
  })

  mountForAdministrators(app, showContent, async ({ isActive }, { params: { id }, audit }) => {
    const content = await managed.show(id, isActive, audit)
    changed()
    return { success: true, message: isActive ? sentences.shown : sentences.hidden, content }
  })

  mountForAdministrators(app, reorderContents, async ({ ids, antes }, { audit }) => {
    const inOrder = await managed.reorder({ ids, before: antes }, audit)
    changed()
    return { success: true, message: sentences.reordered, contents: inOrder }
  })

  mountForAdministrators(app, removeContent, async (_, { params: { id }, audit }) => {
    await managed.remove(id, audit)
    changed()
    return { success: true, message: sentences.removed }
  })
}
