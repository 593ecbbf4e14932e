// Malformed multipart bodies from a logged-in administrator, on every upload route of the real server process.
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editContent, publishContent } from '#contract/admin/contents.ts'
import { uploadImage } from '#contract/admin/images.ts'
import { reportResult } from '#tests/chaos/report.ts'
import { openEmbeddedSite, type Site } from '#tests/chaos/sites.ts'
import { credentials, enter } from '#tests/helpers/administrator.ts'
import { flatPng } from '#tests/helpers/pictures.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'

const bodies = 10_000
const concurrency = 8
const boundary = 'limite'
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

let site: Site
let server: ServerProcess
let token: string
beforeAll(async () => {
  site = await openEmbeddedSite()
  server = await startServer({ ...site.settings, env: { ADMIN_PASSWORD: credentials.password } })
  token = (await enter(server)).token
})
afterAll(async () => {
  agent.destroy()
  await server.kill()
  await site.remove()
})

const routes = [
  [uploadImage.method, uploadImage.path],
  [publishContent.method, publishContent.path],
  [editContent.method, editContent.path.replace(':id', '1')],
] as const

/** The status of the response, or the error code of the connection: the server may close it on a broken request. */
function send(method: string, path: string, type: string, body: Buffer): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': body.length }
    const sent = request(server.url + path, { method, headers, agent }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', () => resolve('cut'))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'cut'))
    sent.end(body)
  })
}

test('10,000 malformed bodies do not crash the server and get no 5xx', async () => {
  const random = seededRandom('malformed uploads')
  const pick = <T>(values: readonly T[]) => values[random.between(0, values.length - 1)] as T
  const picture = flatPng(20, 20).toString('latin1')
  const disposition = () =>
    pick([
      `Content-Disposition: form-data; name="${pick(['imagem', 'titulo', 'ordem', '__proto__', '', 'a\rb'])}"`,
      'Content-Disposition: form-data; name="imagem"; filename="a.png"\r\nContent-Type: image/png',
      'Content-Disposition: form-data; name="imagem"; filename="\xff\xfe"\r\nContent-Type: application/octet-stream',
      'Content-Disposition: attachment',
      'Content-Disposition: form-data; name=',
      'Content-Type: application/json\r\nContent-Disposition: form-data; name="titulo"',
      ': \r\n:',
      '',
      'X: '.repeat(random.between(1, 4_000)),
    ])
  const content = () =>
    pick(['x', '', '{', picture, picture.slice(0, 30), '\0'.repeat(100), `--${boundary}`, '\r\n\r\n'])
  const part = () => `--${boundary}${pick(['\r\n', '\r\n', '\n', ''])}${disposition()}\r\n\r\n${content()}\r\n`
  const body = () => {
    const parts = Array.from({ length: pick([0, 1, 2, 19, 20, 21, 22, 40]) }, part)
    // Regression: many well-formed fields without a final boundary crashed the server.
    const field = `--${boundary}\r\nContent-Disposition: form-data; name="c"\r\n\r\nx\r\n`
    if (random.between(0, 3) === 0) parts.push(field.repeat(pick([21, 100, 1_500])))
    const text = `${pick(['', '', '', '\r\n', 'preamble\r\n'])}${parts.join('')}${pick([`--${boundary}--\r\n`, `--${boundary}`, '', '', '--'])}`
    const whole = Buffer.from(text, 'latin1')
    return random.between(0, 2) === 0 ? whole.subarray(0, random.between(0, whole.length)) : whole
  }
  const type = () =>
    pick([
      ...Array.from({ length: 8 }, () => `multipart/form-data; boundary=${boundary}`),
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary="${boundary}`,
      `multipart/form-data; boundary=${'x'.repeat(3_000)}`,
      'multipart/mixed; boundary=limite',
    ])

  const outcomes: Record<string, number> = {}
  let left = bodies
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1
        const [method, path] = pick(routes)
        const outcome = String(await send(method, path, type(), body()))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        if (outcome === 'ECONNREFUSED') left = 0
      }
    }),
  )

  reportResult({ test: 'malformed uploads', notes: JSON.stringify(outcomes) })
  expect(server.process.exitCode).toBe(null)
  expect(Object.keys(outcomes).filter((outcome) => !/^[24]\d\d$/.test(outcome))).toEqual([])
  expect(outcomes['400']).toBeGreaterThan(bodies / 2)
  expect((await fetch(`${server.url}/saude/pronto`)).status).toBe(200)
})
