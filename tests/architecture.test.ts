// The shape of the tree, held by a machine: which way imports point, and what must not exist.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Each row may import from its own and from those above it. */
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
  'node',
  'banner',
  'main',
  'terminal',
  'backup',
  'restore',
  'password',
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
const featureArrows = ['campaigns → petitions', 'numbers → petitions']

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

/** Why an import points the wrong way, or undefined if it does not. */
function wrongWay({ from, to }: Import): string | undefined {
  const source = partOf(from)
  const target = partOf(to)
  if (source.root === 'contract' && target.root !== 'contract') return `${from} → ${to}: the contract imports nobody`
  if (target.root !== 'contract' && source.root !== target.root) return `${from} → ${to}: server and web never meet`
  const order = source.root === 'web' ? webOrder : serverOrder
  const [here, there] = [order.indexOf(source.part), order.indexOf(target.part)]
  if (here < 0 || there < 0) return `${from} → ${to}: ${here < 0 ? source.part : target.part} has no place in the order`
  if (there > here) return `${from} → ${to}: ${source.part} must not know ${target.part}`
  const [feature, otherFeature] = [from, to].map((file) => /^server\/features\/([^/]+)\//.exec(file)?.[1])
  const crossing = feature && otherFeature && feature !== otherFeature
  if (crossing && !featureArrows.includes(`${feature} → ${otherFeature}`))
    return `${from} → ${to}: features do not know each other`
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

describe('the tree', () => {
  test('there is something to look at', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(150)
  })

  test('imports point one way', () => {
    expect(imports.map(wrongWay).filter(Boolean)).toEqual([])
  })

  test('there are no cycles', () => {
    expect(cyclesIn(imports)).toEqual([])
  })

  test('one file reads the environment', () => {
    const readers = files.filter((file) => /process\.env|import\.meta\.env/.test(read(file)))
    expect(readers).toEqual(['server/core/config.ts'])
  })

  test('there are no barrels and no drawers for odds and ends', () => {
    expect(
      files.filter((file) => /(^|\/)(index\.tsx?|utils?|lib|common|helpers|misc)(\/|\.tsx?$|$)/.test(file)),
    ).toEqual([])
    const reexports = files.filter((file) => /^export (\*|\{[^}]*\}) from/m.test(read(file)))
    expect(reexports).toEqual([])
  })

  test('every file says first what it answers for', () => {
    const silent = files.filter((file) => !file.includes('migrations') && !/^\/\/ \S/.test(read(file)))
    expect(silent).toEqual([])
  })

  test('nothing of the test or build tools reaches the server', () => {
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

describe('the rules themselves can fail', () => {
  const wrong: [from: string, to: string][] = [
    ['server/core/clock.ts', 'server/db/schema.ts'],
    ['server/http/mount.ts', 'server/features/petitions/routes.ts'],
    ['server/features/petitions/routes.ts', 'server/features/campaigns/campaigns.ts'],
    ['server/features/media/routes.ts', 'server/features/petitions/tallies.ts'],
    ['web/ui/toast.tsx', 'web/layout/header.tsx'],
    ['web/api/client.ts', 'server/core/errors.ts'],
    ['server/app.ts', 'web/routes.tsx'],
    ['contract/page.ts', 'server/core/errors.ts'],
    ['server/surprise/x.ts', 'contract/page.ts'],
  ]
  test.each(wrong)('%s → %s is caught', (from, to) => {
    expect(wrongWay({ from, to })).toBeTypeOf('string')
  })

  test('a cycle is caught', () => {
    const circle = [
      { from: 'a.ts', to: 'b.ts' },
      { from: 'b.ts', to: 'c.ts' },
      { from: 'c.ts', to: 'a.ts' },
    ]
    expect(cyclesIn(circle)).toEqual([['a.ts', 'b.ts', 'c.ts', 'a.ts']])
  })
})
