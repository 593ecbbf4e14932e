// kill -9 of the server in the middle of its work, again and again, while people sign, fill in forms and try again.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { figuresOf, tell } from '#tests/chaos/report.ts'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { chance } from '#tests/helpers/chance.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { everyForm, startSigners } from '#tests/helpers/signers.ts'

describe.each(engines)('on %s', (name, open) => {
  let site: Site
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site.remove())

  test('kills of the server lose nothing that was acknowledged, store each once and leave the counts exact', async () => {
    const moments = chance(`kill -9 on ${name}`)
    let server = await startServer(site.settings)
    onTestFinished(() => server.kill())
    const signers = startSigners({ url: server.url, paths: everyForm, otherwise: 'retry' })

    for (let kills = 0; kills < size.serverKills; kills++) {
      await signers.more(size.signedBetween)
      await delay(moments.between(0, 800))
      await server.kill()
      server = await startServer({ ...site.settings, port: server.port })
    }
    await signers.more(size.signedBetween)
    await signers.stop()
    const code = await server.stop()

    const audit = await auditBooks(site.settings, signers.acknowledged)
    tell({ test: `kill -9 of the server on ${name}`, serverKills: size.serverKills, ...figuresOf(signers), audit })
    expect(audit).toEqual(inOrder)
    expect(signers.retried()).toBeGreaterThan(0)
    const answers = Object.keys(signers.outcomes()).filter((outcome) => /^\d+/.test(outcome) && outcome !== '503')
    expect(answers.sort()).toEqual(['201', '303'])
    expect(code).toBe(0)
  })
})
