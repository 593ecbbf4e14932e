// kill -9 of the server in the middle of its work, again and again, while people sign and try again.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { chance } from '#tests/helpers/chance.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'

describe.each(engines)('on %s', (name, open) => {
  let site: Site
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site.remove())

  test('five kills of the server lose no acknowledged signature, store each once and leave the counts exact', async () => {
    const moments = chance(`kill -9 on ${name}`)
    let server = await startServer(site.settings)
    onTestFinished(() => server.kill())
    const paths = ['/api/peticoes', '/api/campaigns/brasilquerpaz/signatures']
    const signers = startSigners({ url: server.url, paths, otherwise: 'retry' })

    for (let kills = 0; kills < 5; kills++) {
      await signers.more(100)
      await delay(moments.between(0, 800))
      await server.kill()
      server = await startServer({ ...site.settings, port: server.port })
    }
    await signers.more(100)
    await signers.stop()
    const code = await server.stop()

    const { '201': signed = 0, ...others } = signers.outcomes()
    console.log(`${name}: ${signed} acknowledged, ${signers.retried()} of them retried`, others)
    expect(await auditBooks(site.settings, signers.acknowledged)).toEqual(inOrder)
    expect(signers.retried()).toBeGreaterThan(0)
    expect(Object.keys(others).filter((outcome) => /^\d+/.test(outcome) && outcome !== '503')).toEqual([])
    expect(code).toBe(0)
  })
})
