// Which files stay in the build folder when the site is built again.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { retireAssets } from '../../scripts/former-assets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'former-assets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const day = 86_400_000
const today = Date.now()

/** Writes the files of a build: an entry with its compressed copies, a style sheet, the manifest, an icon. */
function build(name: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  mkdirSync(join(folder, '.vite'), { recursive: true })
  for (const file of [`${name}.js`, `${name}.js.gz`, `${name}.js.br`, `${name}.css`])
    writeFileSync(join(folder, 'assets', file), name)
  const manifest = { 'src/web/entry.ts': { file: `assets/${name}.js`, css: [`assets/${name}.css`] } }
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'icon.png'), name)
}

const upgrade = (name: string, at: number) => {
  retireAssets(folder, new Date(at))
  build(name)
}

const builds = () =>
  readdirSync(join(folder, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .sort()

test('assets of a former build stay for a week after the upgrade, however old they are', () => {
  build('first-1')
  upgrade('second-2', today + 90 * day)
  expect(builds()).toEqual(['first-1.js', 'second-2.js'])
  expect(existsSync(join(folder, 'assets/first-1.js.br'))).toBe(true)

  upgrade('third-3', today + 96 * day)
  expect(builds()).toEqual(['first-1.js', 'second-2.js', 'third-3.js'])

  upgrade('fourth-4', today + 98 * day)
  expect(builds()).toEqual(['fourth-4.js', 'second-2.js', 'third-3.js'])
  expect(existsSync(join(folder, 'assets/first-1.js.br'))).toBe(false)
  expect(existsSync(join(folder, 'assets/first-1.css'))).toBe(false)
})

test('of many builds within a week the last five former ones stay', () => {
  build('build-0')
  for (let hour = 1; hour < 10; hour++) upgrade(`build-${hour}`, today + (hour * day) / 24)
  expect(builds()).toEqual(['build-4.js', 'build-5.js', 'build-6.js', 'build-7.js', 'build-8.js', 'build-9.js'])
})

test('everything else is removed before the next build', () => {
  build('first-1')
  retireAssets(folder, new Date(today))
  expect(readdirSync(folder)).toEqual(['assets'])
})

test('a missing folder is not created', () => {
  retireAssets(join(folder, 'dist'))
  expect(existsSync(join(folder, 'dist'))).toBe(false)
})
