import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import fastify from 'fastify'
import { download } from './bytes.ts'

const scriptMarkup = /<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Serves the petition page through a proxy, with or without its scripts, so that both versions take the same path. */
export async function servePage(siteUrl: string, { scripts }: { scripts: 'kept' | 'removed' }) {
  const app = fastify()

  app.get('/peticao', async (_request, reply) => {
    const html = brotliDecompressSync(await download(`${siteUrl}/peticao`, 'br')).toString()
    const body = scripts === 'kept' ? html : html.replace(scriptMarkup, '')
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' })
      .send(brotliCompressSync(body, quality))
  })

  app.get('/*', (request, reply) => {
    const { url, headers } = request
    reply.hijack()
    httpRequest(`${siteUrl}${url}`, { headers }, (answer) => {
      reply.raw.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply.raw)
    })
      .on('error', () => reply.raw.destroy())
      .end()
  })

  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/peticao`, close: () => app.close() }
}
