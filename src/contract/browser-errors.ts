import * as z from 'zod/mini'
import { browserErrorPath } from '#contract/browser-error-path.ts'
import { endpoint } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'

const { invalid } = httpMessages
const matching = (pattern: RegExp) => z.string(invalid).check(z.regex(pattern, invalid))
const position = z.int(invalid).check(z.minimum(0, invalid), z.maximum(10_000_000, invalid))

/** Reports the position of a script error, never user input. */
export const reportBrowserError = endpoint({
  method: 'POST',
  path: browserErrorPath,
  access: 'anyone',
  status: 204,
  body: z.object({
    /** Name of the error; for React's own errors, their number. */
    nome: matching(/^[A-Za-z][\w#]{0,59}$/),
    arquivo: matching(/^\/assets\/[\w.-]{1,120}\.js$/),
    linha: position,
    coluna: position,
    /** Route pattern of the page, such as `/p/:slug`. */
    rota: matching(/^\/[\w:/-]{0,79}$/),
    /** Build that served the page. */
    versao: matching(/^[\w-]{1,20}$/),
  }),
  reply: z.undefined(),
})
