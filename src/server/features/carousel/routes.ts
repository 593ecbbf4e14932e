// Campaign material to share and download.
import { listContents } from '#contract/carousel.ts'
import type { Contents } from '#server/features/carousel/contents.ts'
import { type App, mount } from '#server/http/mount.ts'

export function carouselRoutes(app: App, { contents }: { contents: Contents }): void {
  mount(app, listContents, () => contents.active())
}
