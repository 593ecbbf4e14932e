import { globSync } from 'node:fs'
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
  // Bundles all packages into one file. React runs in production mode even if NODE_ENV differs.
  ssr: isSsrBuild ? { noExternal: true } : {},
  define: {
    // Explained in `web/layout/static.tsx`.
    DRAWS_STATIC: String(isSsrBuild || mode !== 'production'),
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
            input: [...globSync('src/web/entry-{boot,framed,browser}.ts*'), ...globSync('src/web/pages/*/*-page.tsx')],
            preserveEntrySignatures: 'exports-only',
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|vite\/preload-helper/ },
                  // Modules that nearly every page uses compress better in one chunk. Posters are excluded: their
                  // styles would enlarge the petition pages, which have no posters.
                  {
                    name: 'comum',
                    test: /src[\\/](contract|web)[\\/](?!layout[\\/]poster).*\.tsx?$|node_modules[\\/]zod/,
                    minShareCount: 10,
                  },
                ],
              },
            },
          },
        },
}))
