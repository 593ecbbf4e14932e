// What a browser tells about an error of our scripts: where it happened, never what anybody typed.
import * as z from 'zod/mini'
import { browserErrorPath } from '#contract/browser-error-path.ts'
import { endpoint } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'

const { invalid } = httpMessages
const short = (form: RegExp) => z.string(invalid).check(z.regex(form, invalid))
const position = z.int(invalid).check(z.minimum(0, invalid), z.maximum(10_000_000, invalid))

export const reportBrowserError = endpoint({
  method: 'POST',
  path: browserErrorPath,
  access: 'anyone',
  status: 204,
  body: z.object({
    /** The error's name; of React's own errors their number. */
    nome: short(/^[A-Za-z][\w#]{0,59}$/),
    /** Where in our scripts. */
    arquivo: short(/^\/assets\/[\w.-]{1,120}\.js$/),
    linha: position,
    coluna: position,
    /** The page's route as the route table writes it: `/p/:slug`. */
    rota: short(/^\/[\w:/-]{0,79}$/),
    /** The build that the page was served from. */
    versao: short(/^[\w-]{1,20}$/),
  }),
  reply: z.undefined(),
})
