// Errors that browsers report, for the log. Anyone can send them, so a node logs only so many a minute.
import { reportBrowserError } from '#contract/browser-errors.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { createAllowance } from '#server/core/allowance.ts'
import type { Log } from '#server/core/log.ts'
import { type App, check } from '#server/http/mount.ts'

const mostPerMinute = 30

export function browserErrorRoutes(app: App, { log }: { log: Log }): void {
  const { method, path: url, access, body, status } = reportBrowserError
  const allowance = createAllowance({ capacity: mostPerMinute, perSecond: mostPerMinute / 60, buckets: 1 })
  app.route({
    method,
    url,
    config: { access },
    bodyLimit: 2_048,
    // Without the gate: a report must not use up what the people of its address may send.
    handler: async (request, reply) => {
      const report = check(body, request.body, 'invalid') as BodyOf<typeof reportBrowserError>
      if (allowance.take('')) {
        const { nome: name, arquivo: file, linha: line, coluna: column, rota: page, versao: build } = report
        log.warn({ name, file, line, column, page, build }, 'browser error')
      }
      return reply.code(status ?? 204).send()
    },
  })
}
