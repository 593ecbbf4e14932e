// What the petition page costs to download: the document as it comes over the wire, its scripts, its fonts.
import { get } from 'node:http'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import type { Measure } from './report.ts'

/** The body as it was sent: `fetch` would decompress it. */
export function download(url: string, encoding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      if (response.statusCode === 200) resolve(Buffer.concat(chunks))
      else reject(new Error(`${url}: ${response.statusCode}`))
    }).on('error', reject)
  })
}

export async function weighPage(url: string): Promise<Measure[]> {
  const wire = await download(`${url}/peticao`, 'br')
  const html = brotliDecompressSync(wire).toString()
  // The document names all that may ever be loaded, also what waits until the page is idle or touched.
  const named = (pattern: RegExp) => [...new Set(html.match(pattern))]
  const scripts = named(/\/assets\/[\w.-]+\.js\b/g)
  const fonts = named(/\/assets\/[\w.-]+\.woff2\b/g)
  if (scripts.length === 0 || fonts.length === 0) throw new Error('no scripts or fonts found in the page')

  const sum = async (paths: string[], weigh: (bytes: Buffer) => Buffer) => {
    const bytes = await Promise.all(paths.map((path) => download(new URL(path, url).href, 'identity')))
    return bytes.reduce((total, file) => total + weigh(file).length, 0)
  }
  const atMost = (kilobytes: number) => ({ of: 'figure', atMost: kilobytes * 1024 }) as const
  return [
    { name: 'Document with styles (br)', unit: 'bytes', figure: wire.length, bar: atMost(8) },
    {
      name: `Scripts (gzip -9, ${scripts.length} files)`,
      unit: 'bytes',
      figure: await sum(scripts, (file) => gzipSync(file, { level: 9 })),
      bar: atMost(92),
    },
    {
      name: `Fonts (${fonts.length} files)`,
      unit: 'bytes',
      figure: await sum(fonts, (file) => file),
      bar: atMost(40),
    },
  ]
}
