// Lookup of the programs that tests run, and the report of missing ones.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { rowsOf, runCluster, unprivileged, unprivilegedFolder } from '#tests/helpers/postgres.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { findChromium, findPostgres, missingTools, npmPostgres } from '#tests/helpers/tools.ts'

afterEach(() => vi.unstubAllEnvs())

/** A folder with empty programs of these names. */
function folderWith(...names: string[]): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of names) writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
  return folder
}

test('PostgreSQL of the npm package runs as an unprivileged user', async ({ skip }) => {
  const programs = npmPostgres() ?? skip('there is no package for this system')
  vi.stubEnv('POSTGRES_PATH', programs)
  const folder = unprivilegedFolder('mobiliza-pg-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync(join(programs, 'initdb'), ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust'], {
    ...unprivileged(),
    cwd: folder,
    stdio: 'ignore',
  })
  const cluster = await runCluster(folder, { fsync: 'off' })
  onTestFinished(() => cluster.remove())

  const [{ server_version } = { server_version: '' }] = await rowsOf<{ server_version: string }>(
    cluster.url(),
    'show server_version',
  )

  expect(server_version).toMatch(/^\d+\.\d+/)
})

test('the browser is the one in CHROMIUM_PATH, or else one in PATH', () => {
  const folder = folderWith('google-chrome')
  vi.stubEnv('PATH', folder)
  vi.stubEnv('CHROMIUM_PATH', '')
  expect(findChromium()).toBe(join(folder, 'google-chrome'))

  const own = folderWith('my-browser')
  vi.stubEnv('CHROMIUM_PATH', join(own, 'my-browser'))
  expect(findChromium()).toBe(join(own, 'my-browser'))

  vi.stubEnv('CHROMIUM_PATH', join(own, 'nothing'))
  expect(findChromium()).toBe(undefined)
})

test('missing tools are named', () => {
  const server = folderWith('initdb', 'postgres')
  vi.stubEnv('CHROMIUM_PATH', join(server, 'nothing'))
  vi.stubEnv('POSTGRES_PATH', server)

  expect(findPostgres()).toBe(server)
  expect(missingTools()).toEqual(expect.arrayContaining(['Chromium', "PostgreSQL's client programs"]))
  expect(missingTools()).not.toContain('PostgreSQL')

  vi.stubEnv('POSTGRES_PATH', join(server, 'nothing'))
  expect(missingTools()).toContain('PostgreSQL')
})
