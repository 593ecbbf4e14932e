// Proxies: the examples of TRUST_PROXY in docs/operations.md, and the warning about a proxy that it lacks.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { warnOfUnknownProxies } from '#server/http/unknown-proxy.ts'
import { failureMessages } from '#web/admin/system/failure-messages.ts'

interface Chain {
  sender: string
  forwarded: string
  client: string
}

interface Example {
  title: string
  setting: string
  chains: Chain[]
}

function readExamples(): Example[] {
  const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n### Proxies\n(.*?)\n## /s.exec(operations) ?? []
  return section
    .split(/\n(?=\*\*)/)
    .slice(1)
    .map((text) => ({
      title: /^\*\*(.+?)\*\*/s.exec(text)?.[1] ?? '',
      setting: /\nTRUST_PROXY=(\S+)\n/.exec(text)?.[1] ?? '',
      chains: [...text.matchAll(/^\| ([\da-f.:]+) \| ([\da-f.:, ]+) \| ([\da-f.:]+) \|$/gm)].map(
        ([, sender = '', forwarded = '', client = '']) => ({ sender, forwarded, client }),
      ),
    }))
}

const examples = readExamples()

test('the document has examples for nginx, Caddy, Docker and Cloudflare', () => {
  expect(examples.map(({ title }) => title).join('\n')).toMatch(
    /nginx.*\n.*Caddy.*\n.*Docker.*\n.*Docker.*\n.*Cloudflare/,
  )
  for (const { setting, chains } of examples)
    expect([setting, chains.length]).toEqual([expect.stringMatching(/./), expect.toSatisfy((n) => n >= 2)])
})

function listen(trustProxy: string | undefined, now?: () => number) {
  const app = fastify({ trustProxy: readConfig({ TRUST_PROXY: trustProxy }).trustProxy })
  onTestFinished(() => app.close())
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => lines.push(line) })
  warnOfUnknownProxies(app, log, now)
  app.get('/', (request) => ({ client: request.ip }))
  return {
    ...{ lines, log },
    async clientOf(sender: string, forwarded?: string): Promise<string> {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      const answer = await app.inject({ url: '/', remoteAddress: sender, headers })
      return answer.json().client
    },
  }
}

describe.each(examples)('the example “$title”', ({ setting, chains }) => {
  test.each(chains)('$sender with “$forwarded” is the visitor $client', async ({ sender, forwarded, client }) => {
    const { clientOf, lines } = listen(setting)
    expect(await clientOf(sender, forwarded)).toBe(client)
    // A warning exactly where the sender is not trusted.
    expect(lines.length).toBe(client === sender ? 1 : 0)
  })
})

describe('a proxy that TRUST_PROXY lacks', () => {
  const message = 'X-Forwarded-For of an unknown proxy ignored'

  test('is reported to the log and the status page, with its private address and nobody else’s', async () => {
    const { clientOf, lines, log } = listen(undefined)
    expect(await clientOf('172.18.0.1', '203.0.113.7')).toBe('172.18.0.1')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 40, time: expect.any(String), sender: '172.18.0.1', msg: message },
    ])
    expect(log.recentFailures()).toMatchObject([{ message, error: '', times: 1 }])
    expect(failureMessages[message]).toContain('TRUST_PROXY')
  })

  test('with a public address is reported without it, because it may be a visitor’s', async () => {
    const { clientOf, lines } = listen('127.0.0.1')
    await clientOf('198.51.100.20', '203.0.113.7')
    await clientOf('198.51.100.21', '203.0.113.8')
    expect(lines).toEqual([expect.stringContaining('"sender":"public address"')])
    expect(lines.join()).not.toMatch(/198\.51|203\.0/)
  })

  test('is reported at most once an hour', async () => {
    let hours = 0
    const { clientOf, lines } = listen(undefined, () => hours * 3_600_000)
    const count = async (at: number) => {
      hours = at
      for (let i = 0; i < 3; i++) await clientOf('172.18.0.1', '203.0.113.7')
      return lines.length
    }
    expect([await count(0), await count(0.99), await count(1), await count(1.5), await count(2)]).toEqual([
      1, 1, 2, 2, 3,
    ])
  })

  test('is not reported for a known proxy, also when it forwards its own request, or without the header', async () => {
    const { clientOf, lines } = listen('127.0.0.1')
    expect(await clientOf('127.0.0.1', '203.0.113.7')).toBe('203.0.113.7')
    expect(await clientOf('127.0.0.1', '127.0.0.1')).toBe('127.0.0.1')
    expect(await clientOf('198.51.100.20')).toBe('198.51.100.20')
    expect(lines).toEqual([])
  })
})
