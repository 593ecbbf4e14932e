// Builds the pages for the browser and for the server, and compresses what the browser downloads.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const quiet = { logLevel: 'warn' } as const

await build(quiet)
await build({ ...quiet, build: { ssr: 'src/web/entry-server.tsx' } })
// The worker is one plain file: not every browser takes modules there.
await build({
  ...quiet,
  configFile: false,
  publicDir: false,
  build: {
    outDir: 'dist/worker',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    rolldownOptions: {
      input: 'src/web/offline/service-worker.ts',
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
})

const folder = 'dist/browser'
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|css|svg|json|webmanifest)$/.test(file) || file.startsWith('.vite')) continue
  const bytes = readFileSync(join(folder, file))
  writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  writeFileSync(
    join(folder, `${file}.br`),
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
}
