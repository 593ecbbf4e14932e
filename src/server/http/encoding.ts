// How an answer is made smaller on its way, as far as the client can undo it.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** How hard to try: pages change every second, what is kept for long is worth the effort. */
export type Effort = 'quick' | 'thorough'

const levels = { quick: { br: 5, gzip: constants.Z_DEFAULT_COMPRESSION }, thorough: { br: 11, gzip: 9 } }

export async function compress(bytes: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === 'identity') return bytes
  const level = levels[effort][encoding]
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level })
  return promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

const choices = new Map<string, Encoding>()

/** The best encoding that the client takes. Browsers send a handful of different lists, so each is read once. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
  const known = choices.get(accepted)
  if (known) return known
  const names = accepted
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  const best = names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
  if (choices.size < 200) choices.set(accepted, best)
  return best
}
