// Pages that are kept: the ones people ask for stay, however many others are asked for once.
import { expect, test } from 'vitest'
import { createHtmlCache, wirePage } from '#server/ssr/html-cache.ts'

const aPage = (html: string) => wirePage({ status: 200, html, lasting: true, headers: {} })

test('a page that is asked for again and again is not drawn anew for the sake of a thousand others', async () => {
  let drawn = 0
  const cache = createHtmlCache({ periodMs: 60_000, onFailure() {}, isFinal: () => false })
  const popular = async () =>
    cache.known('/peticao') ??
    cache.get('/peticao', async () => {
      drawn += 1
      return aPage('petição')
    })

  await popular()
  for (let n = 0; n < 1_000; n++) {
    await cache.get(`/p/${n}`, async () => aPage(String(n)))
    await popular()
  }

  expect(drawn).toBe(1)
})
