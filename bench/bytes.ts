// Download size of pages: the compressed document, its scripts and its fonts.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import type { Measure } from './report.ts'
import type { Stage } from './stage.ts'

/** The body without decompression, which `fetch` would do. */
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

/** The pages with a limit, in kilobytes of script. */
const scriptBars = { '/peticao': 92, '/p/fim-escala-6x1': 92, '/': 95, '/conteudos-destaque': 95 }

export async function measurePageBytes(stage: Stage): Promise<Measure[]> {
  const { url: databaseUrl } = await stage.createDatabase('bytes')
  const { url } = await stage.startSite({ env: { DATABASE_URL: databaseUrl } })
  const measures: Measure[] = []
  for (const [path, kilobytes] of Object.entries(scriptBars))
    measures.push(...(await measurePage(url, path, kilobytes)))
  measures.push(measureAdminArea())
  return measures
}

interface Chunk {
  file: string
  imports?: string[]
}

/** The scripts that an administrator downloads for the dashboard: those of the area and those of the page. */
function measureAdminArea(): Measure {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync('dist/browser/.vite/admin.json', 'utf8'))
  const needed = new Set<string>()
  const addWithImports = (key: string) => {
    const { file, imports = [] } = chunks[key] ?? {}
    if (!file || needed.has(file)) return
    needed.add(file)
    imports.forEach(addWithImports)
  }
  addWithImports('src/web/entry-admin.tsx')
  addWithImports('src/web/admin/dashboard/dashboard-page.tsx')
  const files = [...needed].map((file) => readFileSync(`dist/browser/${file}`))
  return {
    name: `/admin/dashboard scripts (gzip -9, ${files.length} files)`,
    unit: 'bytes',
    figure: files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0),
    bar: { of: 'figure', atMost: 200 * 1024 },
  }
}

async function measurePage(url: string, path: string, scriptKilobytes: number): Promise<Measure[]> {
  const wire = await download(`${url}${path}`, 'br')
  const html = brotliDecompressSync(wire).toString()
  // The document names all scripts, including those that load when the page is idle or touched.
  const named = (pattern: RegExp) => [...new Set(html.match(pattern))]
  const scripts = named(/\/assets\/[\w.-]+\.js\b/g)
  const fonts = named(/\/assets\/[\w.-]+\.woff2\b/g)
  if (scripts.length === 0 || fonts.length === 0) throw new Error(`no scripts or fonts found in ${path}`)

  const sum = async (paths: string[], encode: (bytes: Buffer) => Buffer) => {
    const bytes = await Promise.all(paths.map((file) => download(new URL(file, url).href, 'identity')))
    return bytes.reduce((total, file) => total + encode(file).length, 0)
  }
  const atMost = (kilobytes: number) => ({ of: 'figure', atMost: kilobytes * 1024 }) as const
  const scriptBytes = await sum(scripts, (file) => gzipSync(file, { level: 9 }))
  return [
    // Only petitions have a limit for the document: the form is usable when the document has loaded.
    {
      name: `${path} document with styles (br)`,
      unit: 'bytes',
      figure: wire.length,
      ...(scriptKilobytes === 92 && { bar: atMost(8) }),
    },
    {
      name: `${path} scripts (gzip -9, ${scripts.length} files)`,
      unit: 'bytes',
      figure: scriptBytes,
      bar: atMost(scriptKilobytes),
    },
    {
      name: `${path} fonts (${fonts.length} files)`,
      unit: 'bytes',
      figure: await sum(fonts, (file) => file),
      bar: atMost(40),
    },
  ]
}
