// Loads the production build: page table, and assets of each page from the manifest. Development has its own renderer.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CreatePageTable } from '#contract/page.ts'
import type { App } from '#server/http/mount.ts'

export interface PageAssets {
  /** The complete style sheet of the page, and its hash for the Content-Security-Policy. */
  styles: string
  styleHash: string
  /** Small script that decides when the other scripts are loaded. */
  boot: string
  /** Script that reports the height of an embedded page to the page around it. */
  framed: string
  /** Script that passes the origin of the visit on, for pages without other scripts. */
  links: string
  script: string
  /** Module with the component of the page. */
  page: string
  preloads: string[]
  font: string | undefined
}

/** Files of the admin area, or of its preview. */
export interface AreaAssets {
  script: string
  preloads: string[]
  styles: string[]
}

export interface Renderer {
  /** Id of the build, for error reports. */
  build: string
  createPageTable: CreatePageTable
  assetsOf(source: string): PageAssets
  adminAssets: AreaAssets
  previewAssets: AreaAssets
  /** Markup, routes and policy of the development server. */
  prelude?: string
  attach?(app: App): Promise<void>
  policy?: string
}

interface ManifestEntry {
  file: string
  imports?: string[]
  css?: string[]
}

export const buildFolder = new URL('../../../dist/', import.meta.url).pathname
const bootEntry = 'src/web/entry-boot.ts'
const framedEntry = 'src/web/entry-framed.ts'
const linksEntry = 'src/web/entry-links.ts'
const browserEntry = 'src/web/entry-browser.tsx'
/** The headline font changes the first impression most, so it is requested before the style sheet is parsed. */
const preloadedFont = /anton-latin-400-normal.*\.woff2$/

export async function openBuild(): Promise<Renderer> {
  const browser = join(buildFolder, 'browser')
  const readManifest = (file: string): Manifest => JSON.parse(readFileSync(join(browser, '.vite', file), 'utf8'))
  const manifest = readManifest('manifest.json')
  const entry = manifest[browserEntry]
  if (!entry) throw new Error(`${browserEntry} is missing from the build`)
  const { createPageTable }: { createPageTable: CreatePageTable } = await import(
    /* @vite-ignore */ pathToFileURL(join(buildFolder, 'server/entry-server.js')).href
  )
  const fontFile = Object.values(manifest).find(({ file }) => preloadedFont.test(file))?.file

  const cache = new Map<string, PageAssets>()
  function assetsOf(source: string): PageAssets {
    const assets = cache.get(source) ?? collectAssets(source)
    cache.set(source, assets)
    return assets
  }

  function collectAssets(source: string): PageAssets {
    const reached = reachableFrom(manifest, [browserEntry, source])
    const styles = reached.flatMap(({ css = [] }) => css).filter((file, index, all) => all.indexOf(file) === index)
    const text = styles.map((file) => readFileSync(join(browser, file), 'utf8').trim()).join('')
    return {
      styles: text,
      styleHash: `sha256-${hash('sha256', text, 'base64')}`,
      boot: `/${manifest[bootEntry]?.file}`,
      framed: `/${manifest[framedEntry]?.file}`,
      links: `/${manifest[linksEntry]?.file}`,
      script: `/${entry?.file}`,
      page: `/${manifest[source]?.file}`,
      preloads: reached.map(({ file }) => `/${file}`).filter((file) => file !== `/${entry?.file}`),
      font: fontFile && `/${fontFile}`,
    }
  }

  const areaAssets = (name: string) => areaAssetsFrom(readManifest(`${name}.json`), `src/web/entry-${name}.tsx`)
  const manifests = ['manifest', 'admin', 'preview'].map((name) => readManifest(`${name}.json`))
  const build = hash('sha256', JSON.stringify(manifests)).slice(0, 8)
  return { build, createPageTable, assetsOf, adminAssets: areaAssets('admin'), previewAssets: areaAssets('preview') }
}

type Manifest = Record<string, ManifestEntry>

function areaAssetsFrom(manifest: Manifest, entryKey: string): AreaAssets {
  const reached = reachableFrom(manifest, [entryKey])
  const [entry, ...imported] = reached.reverse()
  // Loads the style sheets of all pages at once: they are small, and no page is ever displayed without its own.
  const styles = Object.values(manifest).flatMap(({ css = [] }) => css)
  return {
    script: `/${entry?.file}`,
    preloads: imported.map(({ file }) => `/${file}`),
    styles: [...new Set(styles)].map((file) => `/${file}`),
  }
}

function reachableFrom(manifest: Manifest, keys: string[]): ManifestEntry[] {
  const visited = new Set<string>()
  const reached: ManifestEntry[] = []
  const visit = (key: string) => {
    const entry = manifest[key]
    if (!entry || visited.has(key)) return
    visited.add(key)
    // Imported chunks come first, so that the styles of the importing chunk override theirs.
    entry.imports?.forEach(visit)
    reached.push(entry)
  }
  keys.forEach(visit)
  return reached
}
