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

  mountUpload(app, publishContent, async (fields, { image, about }) => {
    if (!image) throw new AppError('invalid', sentences.image, { imagem: sentences.image })
    const content = await managed.publish(fields, image)
    changed()
    about(content.titulo)
    return { success: true, message: sentences.saved, content }
  })

  mountUpload(app, editContent, async ({ updatedAt, ...fields }, { params: { id }, image, about }) => {
    const { content, changes } = await managed.edit({ id, updatedAt }, fields, image)
    changed()
    about(content.titulo, changes)
    return { success: true, message: sentences.saved, content }
  })

  mountForAdministrators(app, showContent, async ({ isActive }, { params: { id }, about }) => {
    const content = await managed.show(id, isActive)
    changed()
    about(`${content.titulo}: ${isActive ? 'no site' : 'fora do site'}`)
    return { success: true, message: isActive ? sentences.shown : sentences.hidden, content }
  })

  mountForAdministrators(app, reorderContents, async ({ ids, antes }) => {
    const inOrder = await managed.reorder(ids, antes)
    changed()
    return { success: true, message: sentences.reordered, contents: inOrder }
  })

  mountForAdministrators(app, removeContent, async (_, { params: { id }, about }) => {
    const { titulo } = await managed.remove(id)
    changed()
    about(titulo)
    return { success: true, message: sentences.removed }
  })
}
