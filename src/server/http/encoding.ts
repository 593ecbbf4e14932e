import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** `quick` for pages, which can change every second; `thorough` for content that is cached for long. */
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

/** The best encoding that the client accepts. Browsers send few different headers, so each is parsed once. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
  const cached = choices.get(accepted)
  if (cached) return cached
  const names = accepted
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  const best = names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
  if (choices.size < 200) choices.set(accepted, best)
  return best
}
