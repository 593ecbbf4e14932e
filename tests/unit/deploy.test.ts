// The deployment files agree with the program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tableLockTimeoutMs } from '#server/db/migrate.ts'

const deployed = (file: string) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')

describe('the readiness check', () => {
  /** Answers like a node, on one address only. */
  async function listen(host: string): Promise<string> {
    const server = createServer(({ url }, response) => {
      response.writeHead(url === '/saude/pronto' ? 200 : 404).end()
    })
    await once(server.listen(0, host), 'listening')
    onTestFinished(() => void server.close())
    return String((server.address() as AddressInfo).port)
  }

  function checkReadiness(env: Record<string, string>, ...seconds: string[]): Promise<number | null> {
    const script = new URL('../../deploy/ready.mjs', import.meta.url).pathname
    const child = spawn(process.execPath, [script, ...seconds], { env, stdio: 'inherit' })
    return new Promise((resolve) => child.once('exit', resolve))
  }

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  )

  test.for<[string, Record<string, string>]>([
    ['127.0.0.1', {}],
    ['127.0.0.1', { HOST: '0.0.0.0' }],
    ['127.0.0.2', { HOST: '127.0.0.2' }],
    ['127.0.0.1', { HOST: 'localhost' }],
    ['::1', { HOST: '::1' }],
    ['::1', { HOST: '::' }],
  ])('finds a node on %s when the settings are %o', async ([host, env], { skip }) => {
    if (host.includes(':') && !hasIpv6) skip('this machine has no IPv6')
    expect(await checkReadiness({ ...env, PORT: await listen(host) })).toBe(0)
  })

  test('does not find a node on another address', async () => {
    expect(await checkReadiness({ HOST: '127.0.0.2', PORT: await listen('127.0.0.1') })).toBe(1)
  })

  test('does not wait for a process that has ended, so that systemd starts it again', async () => {
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await new Promise((resolve) => ended.once('exit', resolve))
    expect(await checkReadiness({ PORT: '1', MAINPID: String(ended.pid) }, '60')).toBe(1)
  })
})

describe('the systemd unit', () => {
  const unit = deployed('systemd/mobiliza@.service')
  const seconds = (pattern: RegExp) => Number(pattern.exec(unit)?.[1])

  test('waits for a node longer than its migrations may wait for a table', () => {
    expect(seconds(/ready\.mjs (\d+)/)).toBeGreaterThan(tableLockTimeoutMs / 1000)
    expect(seconds(/^TimeoutStartSec=(\d+)$/m)).toBeGreaterThan(seconds(/ready\.mjs (\d+)/))
  })

  test('lets Node list the addresses of the machine', () => {
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
  })
})

test('every setting except container-specific ones is passed to the compose nodes and explained in .env.example', () => {
  const source = readFileSync(new URL('../../src/server/core/config.ts', import.meta.url), 'utf8')
  const settings = [...source.matchAll(/(?:setting(?:<.+>)?|days)\(\s*'([A-Z_]+)'/g)].map(([, name]) => String(name))
  expect(settings).toEqual(expect.arrayContaining(['PUBLIC_URL', 'TRUST_PROXY', 'DKIM_KEY_FILE']))
  // A container has its own port, address and folder; the address of Google Sheets is fixed.
  // The nodes must not know the owner of the tables, who can change the audit log.
  const excluded = new Set(['PORT', 'HOST', 'DATA_DIR', 'GOOGLE_SHEETS_URL', 'DATABASE_OWNER_URL'])
  const [, node = ''] = /^x-node:(.+?)^\S/ms.exec(deployed('compose.yml')) ?? []

  const missing = settings.filter((name) => !excluded.has(name) && !node.includes(`\n    ${name}: `))
  const example = deployed('.env.example')
  const undocumented = [...node.matchAll(/\$\{(\w+)/g)].filter(([, name]) => !example.includes(`\n${name}=`))

  expect(node).not.toContain('OWNER')
  expect({ missing, undocumented }).toEqual({ missing: [], undocumented: [] })
})
