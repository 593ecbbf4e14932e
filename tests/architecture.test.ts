// Checks the structure of src: the direction of imports, import cycles, and files that must not exist.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Each entry may import from itself and from the entries above it. */
const serverOrder = [
  'contract',
  'core',
  'db',
  'adapters',
  'outbox',
  'deps',
  'http',
  'features',
  'ssr',
  'app',
  'server-process',
  'banner',
  'main',
  'terminal',
  'backup',
  'restore',
  'password',
  'migrate',
  'verify-audit',
  'rotate-key',
]
const webOrder = [
  'contract',
  'ui',
  'api',
  'offline',
  'forms',
  'layout',
  'pages',
  'page-root',
  'state',
  'routes',
  'admin',
  'entry-admin',
  'entry-preview',
  'entry-server',
  'entry-browser',
  'entry-boot',
]
const allowedFeatureImports = ['campaigns → petitions', 'numbers → petitions']

interface Import {
  from: string
  to: string
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
}

/** Imports between files of the tree, as paths relative to `src`. */
function importsOf(file: string, text: string): Import[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => String(specifier))
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('#')) return [{ from: file, to: specifier.slice(1) }]
    if (specifier.startsWith('.')) return [{ from: file, to: relative(src, resolve(src, dirname(file), specifier)) }]
    return []
  })
}

function partOf(file: string): { root: string; part: string } {
  const [root = '', second = '', ...rest] = file.split('/')
  if (root === 'contract') return { root, part: 'contract' }
  return { root, part: rest.length > 0 ? second : second.replace(/\.tsx?$/, '') }
}

/** Says why an import is not allowed; undefined if it is. */
function importViolation({ from, to }: Import): string | undefined {
  const source = partOf(from)
  const target = partOf(to)
  if (source.root === 'contract' && target.root !== 'contract')
    return `${from} → ${to}: the contract imports nothing else`
  if (target.root !== 'contract' && source.root !== target.root)
    return `${from} → ${to}: server and web do not import each other`
  const order = source.root === 'web' ? webOrder : serverOrder
  const [sourceIndex, targetIndex] = [order.indexOf(source.part), order.indexOf(target.part)]
  if (sourceIndex < 0 || targetIndex < 0)
    return `${from} → ${to}: ${sourceIndex < 0 ? source.part : target.part} is missing from the order`
  if (targetIndex > sourceIndex) return `${from} → ${to}: ${source.part} must not import ${target.part}`
  const [feature, otherFeature] = [from, to].map((file) => /^server\/features\/([^/]+)\//.exec(file)?.[1])
  const crossing = feature && otherFeature && feature !== otherFeature
  if (crossing && !allowedFeatureImports.includes(`${feature} → ${otherFeature}`))
    return `${from} → ${to}: features do not import each other`
  return undefined
}

function cyclesIn(imports: Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const cycles: string[][] = []
  function visit(file: string, path: string[]): void {
    const at = path.indexOf(file)
    if (at >= 0) {
      cycles.push([...path.slice(at), file])
      return
    }
    if (done.has(file)) return
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return cycles
}

const files = filesUnder(src)
const read = (file: string) => readFileSync(join(src, file), 'utf8')
const imports = files.flatMap((file) => importsOf(file, read(file)))

describe('the source tree', () => {
  test('the test finds files and imports', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(150)
  })

  test('imports point in one direction', () => {
    expect(imports.map(importViolation).filter(Boolean)).toEqual([])
  })

  test('there are no import cycles', () => {
    expect(cyclesIn(imports)).toEqual([])
  })

  test('the embedded database starts to open before large packages are loaded', () => {
    const staticImport = /^import (?!type\b)(?:[^']*?from )?'([^']+)'/gm
    const loaded = new Set(['#server/main.ts'])
    for (const file of loaded)
      if (file.startsWith('#')) for (const [, to = ''] of read(file.slice(1)).matchAll(staticImport)) loaded.add(to)
    expect(loaded).toContain('#server/db/embedded.ts')
    expect([...loaded].filter((name) => /^(drizzle-orm|fastify|react|sharp)/.test(name))).toEqual([])
  })

  test('the folders of the admin area do not import each other in a cycle', () => {
    const inAdmin = imports.filter(({ from, to }) => [from, to].every((file) => file.startsWith('web/admin/')))
    const folders = inAdmin.map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    expect(folders.length).toBeGreaterThan(100)
    expect(cyclesIn(folders.filter(({ from, to }) => from !== to))).toEqual([])
  })

  test('only config.ts reads the environment', () => {
    const readers = files.filter((file) => /process\.env|import\.meta\.env/.test(read(file)))
    expect(readers).toEqual(['server/core/config.ts'])
  })

  test('there are no barrels and no catch-all files', () => {
    expect(
      files.filter((file) => /(^|\/)(index\.tsx?|utils?|lib|common|helpers|misc)(\/|\.tsx?$|$)/.test(file)),
    ).toEqual([])
    const reexports = files.filter((file) => /^export (\*|\{[^}]*\}) from/m.test(read(file)))
    expect(reexports).toEqual([])
  })

  test('every file over 40 lines begins with a comment that states its purpose', () => {
    const isLong = (file: string) => read(file).split('\n').length > 41
    const withoutHeader = files.filter((file) => isLong(file) && !/^\/\/ \S/.test(read(file)))
    expect(withoutHeader).toEqual([])
  })

  test('no file imports test or build tools', () => {
    const development = [
      'vite',
      'vitest',
      '@playwright/test',
      'fast-check',
      'autocannon',
      'drizzle-kit',
      '@fastify/middie',
    ]
    const found = files.filter((file) => development.some((name) => read(file).includes(`from '${name}'`)))
    expect(found).toEqual([])
  })
})

describe('the rules detect violations', () => {
  const forbidden: [from: string, to: string][] = [
    ['server/core/clock.ts', 'server/db/schema.ts'],
    ['server/http/mount.ts', 'server/features/petitions/routes.ts'],
    ['server/features/petitions/routes.ts', 'server/features/campaigns/campaigns.ts'],
    ['server/features/media/routes.ts', 'server/features/petitions/campaign-counts.ts'],
    ['web/ui/toast.tsx', 'web/layout/header.tsx'],
    ['web/api/client.ts', 'server/core/errors.ts'],
    ['server/app.ts', 'web/routes.tsx'],
    ['contract/page.ts', 'server/core/errors.ts'],
    ['server/surprise/x.ts', 'contract/page.ts'],
  ]
  test.each(forbidden)('%s → %s is reported', (from, to) => {
    expect(importViolation({ from, to })).toBeTypeOf('string')
  })

  test('a cycle is reported', () => {
    const cycle = [
      { from: 'a.ts', to: 'b.ts' },
      { from: 'b.ts', to: 'c.ts' },
      { from: 'c.ts', to: 'a.ts' },
    ]
    expect(cyclesIn(cycle)).toEqual([['a.ts', 'b.ts', 'c.ts', 'a.ts']])
  })
})
