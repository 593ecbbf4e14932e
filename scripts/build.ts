// Builds the pages for browser and server, draws the icons, and compresses the files for the browser.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { build } from 'vite'
import { retireAssets } from './former-assets.ts'

const quiet = { logLevel: 'warn' } as const
const folder = 'dist/browser'

retireAssets(folder)
await build(quiet)
for (const mode of ['admin', 'preview']) await build({ ...quiet, mode })
await build({ ...quiet, build: { ssr: 'src/web/entry-server.tsx' } })
// The service worker is one file without modules: not every browser supports modules there.
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

/** Draws the logo. With `share`, it covers this part of the side, on a square of the background colour. */
async function drawIcon(file: string, size: number, share?: number): Promise<void> {
  const side = Math.round(size * (share ?? 1))
  const logo = await sharp('src/web/public/favicon.svg', { density: (72 * side) / 48 })
    .resize(side, side)
    .toBuffer()
  const background = share ? '#FFF8EC' : '#0000'
  await sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: logo }])
    .png({ palette: true, effort: 10 })
    .toFile(join(folder, file))
}

mkdirSync(join(folder, 'icones'), { recursive: true })
for (const size of [192, 512]) {
  await drawIcon(`icones/any-${size}.png`, size)
  // A phone may crop this icon to a circle of four fifths of the side.
  await drawIcon(`icones/maskable-${size}.png`, size, 0.55)
}
await drawIcon('apple-touch-icon.png', 180, 0.8)

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|css|svg|json|webmanifest)$/.test(file) || file.startsWith('.vite')) continue
  // A file of a former build already has its compressed copies: the hash in its name guarantees the same content.
  if (file.startsWith('assets/') && existsSync(join(folder, `${file}.br`))) continue
  const bytes = readFileSync(join(folder, file))
  writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  writeFileSync(
    join(folder, `${file}.br`),
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
}
