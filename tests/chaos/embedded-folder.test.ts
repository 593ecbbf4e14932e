// Only one process at a time may use the folder of the embedded database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { openEmbeddedSite, type Site } from '#tests/chaos/sites.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'

let site: Site
beforeAll(async () => {
  site = await openEmbeddedSite()
})
afterAll(() => site.remove())

test('a second server on the same folder fails with a message that names the folder, and the first keeps running', async () => {
  const first = await startServer(site.settings)
  onTestFinished(() => first.kill())
  const signers = startSigners({ url: first.url, people: 8, otherwise: 'leave' })
  await signers.more(20)

  const refusal: Error = await startServer(site.settings).then(
    async (second) => {
      await second.kill()
      return new Error('the second server started')
    },
    (error) => error,
  )

  expect(refusal.message).toContain('server ended with 1\n')
  expect(refusal.message).toContain(`a pasta de dados ${site.settings.dataDir} já está em uso`)
  await signers.more(20)
  await signers.stop()
  expect(Object.keys(signers.outcomes())).toEqual(['201'])
  expect(await first.stop()).toBe(0)
  expect(await auditData(site.settings, signers.acknowledged)).toEqual(noViolations)
})

test('a folder that cannot be locked gets another message than a folder in use', async () => {
  const dataDir = temporaryFolder()
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  writeFileSync(join(dataDir, 'em-uso.sqlite'), 'not what it should be'.repeat(100))

  await expect(startServer({ dataDir })).rejects.toThrow(`não foi possível reservar a pasta de dados ${dataDir}`)
})

test('an interrupted creation of the database starts again from the beginning', async () => {
  const dataDir = temporaryFolder()
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, NODE_ENV: 'production' },
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  await expect.poll(() => existsSync(join(dataDir, 'banco.novo/base')), { interval: 10, timeout: 30_000 }).toBe(true)
  server.kill('SIGKILL')
  await once(server, 'exit')
  expect(readdirSync(dataDir)).toContain('banco.novo')
  expect(readdirSync(dataDir)).not.toContain('banco')

  const { stop } = await startEmbedded(dataDir)
  await stop()

  expect(readdirSync(dataDir)).toContain('banco')
  expect(readdirSync(dataDir)).not.toContain('banco.novo')
})

test('the folder can move between short paths and paths that are too long for a socket', async () => {
  const parent = temporaryFolder()
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const [short, long] = [join(parent, 'dados'), join(parent, 'comprida'.repeat(20))]

  for (const [dataDir, next] of [
    [short, long],
    [long, short],
    [short, long],
  ] as const) {
    const { connection, stop } = await startEmbedded(dataDir)
    const client = new pg.Client(connection)
    await client.connect()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await stop()
    // Outside of the data folder, nothing is left.
    expect(connection.host === dataDir || !existsSync(String(connection.host))).toBe(true)
    renameSync(dataDir, next)
  }
})
