import { globSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// What is imported late stands on what the page has already, and its styles are in the page's sheet: Vite's loader of both would
// only weigh.
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

/** No list of what a late chunk stands on: the page has it already. */
const modulePreload = { polyfill: false, resolveDependencies: () => [] }

const browsers = ['chrome111', 'firefox114', 'safari16.4']

/** Built apart, the admin area and the preview in it: nothing that they share with the public pages can move into their files. */
const apart = ['admin', 'preview']

const buildApart = (name: string) => ({
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
  publicDir: isSsrBuild || apart.includes(mode) ? false : 'src/web/public',
  plugins: [react(), plainImports],
  // One file with everything in it: React in its production form, whatever the environment says.
  ssr: isSsrBuild ? { noExternal: true } : {},
  define: {
    // `web/layout/static.tsx` says what for.
    DRAWS_STATIC: String(isSsrBuild || mode !== 'production'),
    ...((isSsrBuild || apart.includes(mode)) && { 'process.env.NODE_ENV': JSON.stringify('production') }),
  },
  build: isSsrBuild
    ? { outDir: 'dist/server', emptyOutDir: true, target: 'node24' }
    : apart.includes(mode)
      ? buildApart(mode)
      : {
          outDir: 'dist/browser',
          // `scripts/former-assets.ts` empties it, except for files that open pages still ask for.
          emptyOutDir: false,
          manifest: true,
          assetsInlineLimit: 0,
          modulePreload,
          target: browsers,
          rolldownOptions: {
            // Each page is an entry of its own: the server says which one, preloads its scripts and inlines its styles.
            input: [...globSync('src/web/entry-{boot,framed,browser}.ts*'), ...globSync('src/web/pages/*/*-page.tsx')],
            preserveEntrySignatures: 'exports-only',
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|vite\/preload-helper/ },
                  // What nearly every page stands on compresses better in one piece. Posters bring styles that would weigh on the
                  // petitions, which have none.
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
