import { globSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Replaces Vite's preload helper with a plain import. The page already has the dependencies of a dynamic chunk, and its
// style sheet already has the chunk's styles. The helper would only add bytes.
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined),
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        chunk.code = chunk.code
          .replace(/^const __vite__mapDeps=.*\n/, '')
          .replace(/,__vite__mapDeps\(\[[\d,]*\]\)/g, '')
      }
    },
  },
}

const layers = ['base', 'ui', 'layout', 'page', 'admin']

/** A PostCSS plugin that declares the layers in every sheet, and replaces custom properties that never change. */
function layersAndTokens(mode: string) {
  const isInBuild = (file: string) => mode !== 'development' && (mode === 'admin' || !file.includes('/admin/'))
  const sheets = globSync('src/web/**/*.css').filter(isInBuild)
  const declared = sheets.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => ({
      name,
      value,
      isToken: file.endsWith('tokens.css'),
    })),
  )
  const values = Map.groupBy(declared, ({ name }) => name)
  const inline = (text: string): string => text.replace(/var\((--[\w-]+)\)/g, (all, name) => constantValue(name) ?? all)
  /** Undefined for a property with several values, or one that depends on such a property. */
  function constantValue(name: string): string | undefined {
    const [first, second] = values.get(name) ?? []
    const value = first?.isToken && !second && inline(first.value)
    return value && !value.includes('var(') ? value : undefined
  }
  return {
    postcssPlugin: 'layers-and-tokens',
    // The order of the layers must not depend on the sheet that a page loads first: each sheet declares the lower ones.
    Once(sheet: {
      prepend(css: string): void
      walkAtRules(name: string, visit: (rule: { params: string }) => void): void
    }) {
      let last = 0
      sheet.walkAtRules('layer', ({ params }) => {
        last = Math.max(last, layers.indexOf(params))
      })
      sheet.prepend(`@layer ${layers.slice(0, last + 1)};`)
    },
    // Pages would otherwise carry scales and colours that they do not use.
    Declaration(declaration: { prop: string; value: string; remove(): void }) {
      if (constantValue(declaration.prop)) declaration.remove()
      else declaration.value = inline(declaration.value)
    },
  }
}

/** No preload list for dynamic chunks: the page already has their dependencies. */
const modulePreload = { polyfill: false, resolveDependencies: () => [] }

const browsers = ['chrome111', 'firefox114', 'safari16.4']

/** Entries with their own build, so that the bundler creates no chunks shared between them and the public pages. */
const separateEntries = ['admin', 'preview']

const buildSeparately = (name: string) => ({
  outDir: 'dist/browser',
  emptyOutDir: false,
  manifest: `.vite/${name}.json`,
  assetsInlineLimit: 0,
  modulePreload,
  target: browsers,
  rolldownOptions: {
    input: `src/web/entry-${name}.tsx`,
    output: {
      entryFileNames: `assets/${name}-[name]-[hash].js`,
      chunkFileNames: `assets/${name}-[name]-[hash].js`,
      assetFileNames: `assets/${name}-[name]-[hash][extname]`,
    },
  },
})

export default defineConfig(({ isSsrBuild, mode }) => ({
  appType: 'custom',
  publicDir: isSsrBuild || separateEntries.includes(mode) ? false : 'src/web/public',
  plugins: [react(), plainImports],
  css: { postcss: { plugins: [layersAndTokens(mode)] } },
  // Bundles all packages into one file. React runs in production mode even if NODE_ENV differs.
  ssr: isSsrBuild ? { noExternal: true } : {},
  define: {
    // Explained in `web/ui/static.tsx`.
    RENDERS_STATIC: String(isSsrBuild || mode !== 'production'),
    ...((isSsrBuild || separateEntries.includes(mode)) && { 'process.env.NODE_ENV': JSON.stringify('production') }),
  },
  build: isSsrBuild
    ? { outDir: 'dist/server', emptyOutDir: true, target: 'node24' }
    : separateEntries.includes(mode)
      ? buildSeparately(mode)
      : {
          outDir: 'dist/browser',
          // `scripts/former-assets.ts` empties the folder, except for files that open pages still request.
          emptyOutDir: false,
          manifest: true,
          assetsInlineLimit: 0,
          modulePreload,
          target: browsers,
          rolldownOptions: {
            // Each page is an entry. The server names it, preloads its scripts and inlines its styles.
            input: [
              ...globSync('src/web/entry-{boot,framed,links,browser}.ts*'),
              ...globSync('src/web/pages/*/*-page.tsx'),
            ],
            preserveEntrySignatures: 'exports-only',
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|vite\/preload-helper/ },
                  // Modules that many pages use compress better in one chunk. Forms, posters and articles are excluded:
                  // their styles would enlarge the documents of pages that do not have them.
                  {
                    name: 'comum',
                    test: /src[\\/](contract|web)[\\/](?!forms[\\/](?!submission|also-sign\.)|layout[\\/](?:poster|article)).*\.tsx?$|node_modules[\\/]zod/,
                    minShareCount: 5,
                  },
                ],
              },
            },
          },
        },
}))
