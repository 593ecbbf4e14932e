// Unhandled errors, and a server that ends unexpectedly.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openEmbeddedSite, type Site } from '#tests/chaos/sites.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { freePort } from '#tests/helpers/postgres.ts'
import { startServer } from '#tests/helpers/server-process.ts'

const crashOnSignal = fileURLToPath(new URL('../helpers/crash-on-signal.mjs', import.meta.url))

let site: Site
beforeAll(async () => {
  site = await openEmbeddedSite()
})
afterAll(() => site.remove())

describe('an unhandled error', () => {
  test.each([
    ['exception', 'SIGUSR2', 'thrown on purpose'],
    ['rejection', 'SIGHUP', 'rejected on purpose'],
  ] as const)('%s: is logged, open requests are answered, and the exit code is not 0', async (_, signal, message) => {
    const server = await startServer({ ...site.settings, env: { NODE_OPTIONS: `--import=${crashOnSignal}` } })
    onTestFinished(() => server.kill())
    const ended = once(server.process, 'exit')
    // The body is incomplete when the error happens.
    const body = JSON.stringify(aSignature())
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const pending = request(`${server.url}/api/peticoes`, { method: 'POST', headers })
    const responded = once(pending, 'response')
    pending.write(body.slice(0, 10))
    await expect.poll(async () => (await fetch(`${server.url}/saude`)).status).toBe(200)

    server.process.kill(signal)
    await expect.poll(server.output, { timeout: 5_000 }).toContain('uncaught exception')
    pending.end(body.slice(10))

    const [answer] = await responded
    expect(answer.statusCode).toBe(201)
    answer.resume()
    expect((await ended)[0]).toBe(70)
    const line = server.output().match(/^.*uncaught exception.*$/m)?.[0] ?? ''
    expect(JSON.parse(line)).toMatchObject({ level: 60, err: { type: 'Error', message } })
  })
})

describe('npm start', () => {
  function npmStart(env: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env
    const { dataDir = '' } = site.settings
    const supervisor = spawn(process.execPath, ['scripts/start.mjs'], {
      env: { PATH, HOME, HOST: '127.0.0.1', DATA_DIR: dataDir, DELIVERIES: 'off', ...env },
    })
    onTestFinished(() => void supervisor.kill('SIGKILL'))
    let output = ''
    for (const stream of [supervisor.stdout, supervisor.stderr]) stream.on('data', (chunk) => (output += chunk))
    const { pid = 0 } = supervisor
    return {
      supervisor,
      output: () => output,
      serverPid: () => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()),
      ended: once(supervisor, 'exit'),
    }
  }

  const starts = (output: string) => output.split('Mobiliza no ar').length - 1

  test.runIf(process.platform === 'linux')(
    'restarts a killed server and prints a message, until it is stopped',
    async () => {
      const port = await freePort()
      const { supervisor, output, serverPid, ended } = npmStart({ PORT: String(port) })
      for (let kills = 0; kills < 2; kills += 1) {
        await expect.poll(() => starts(output()), { timeout: 60_000 }).toBe(kills + 1)
        process.kill(serverPid(), 'SIGKILL')
      }
      await expect.poll(() => starts(output()), { timeout: 60_000 }).toBe(3)
      expect(output()).toContain('O site parou inesperadamente (sinal SIGKILL). Reiniciando em 1 s…')
      expect(output()).toContain('Reiniciando em 2 s…')
      expect((await fetch(`http://127.0.0.1:${port}/saude/pronto`)).status).toBe(200)

      supervisor.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    },
  )

  test('does not repeat a start that failed', async () => {
    const { output, ended } = npmStart({ PORT: 'porta' })
    expect(await ended).toEqual([1, null])
    expect(output()).toContain('PORT')
    expect(output()).not.toContain('Reiniciando')
  })
})
