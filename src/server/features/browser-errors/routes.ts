import { reportBrowserError } from '#contract/browser-errors.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Log } from '#server/core/log.ts'
import { createTokenBuckets } from '#server/http/admission/token-bucket.ts'
import { type App, check } from '#server/http/mount.ts'

/** Log entries per node. Anyone can send reports, so their number is limited. */
const maxPerMinute = 30

export function registerBrowserErrors(app: App, { log }: { log: Log }): void {
  const { method, path: url, access, body, status } = reportBrowserError
  const logQuota = createTokenBuckets({ capacity: maxPerMinute, perSecond: maxPerMinute / 60, buckets: 1 })
  app.route({
    method,
    url,
    config: { access, endpoint: reportBrowserError },
    bodyLimit: 2_048,
    // Without app.formLimits: a report must not consume the form quota of its IP address.
    handler: async (request, reply) => {
      const report = check(body, request.body, 'invalid') as BodyOf<typeof reportBrowserError>
      if (logQuota.take('')) {
        const { nome: name, arquivo: file, linha: line, coluna: column, rota: page, versao: build } = report
        log.warn({ name, file, line, column, page, build }, 'browser error')
      }
      return reply.code(status ?? 204).send()
    },
  })
}
