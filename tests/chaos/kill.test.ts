// Repeated kill -9 of the server while clients sign, fill in forms and retry.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { everyForm, startSigners } from '#tests/helpers/signers.ts'

describe.each(engines)('on %s', (name, open) => {
  let site: Site
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site.remove())

  test('kill -9 of the server loses nothing that was acknowledged, stores each record once and keeps the counts exact', async () => {
    const random = seededRandom(`kill -9 on ${name}`)
    let server = await startServer(site.settings)
    onTestFinished(() => server.kill())
    const signers = startSigners({ url: server.url, paths: everyForm, otherwise: 'retry' })

    for (let kills = 0; kills < size.serverKills; kills++) {
      await signers.more(size.signedBetween)
      await delay(random.between(0, 800))
      await server.kill()
      server = await startServer({ ...site.settings, port: server.port })
    }
    await signers.more(size.signedBetween)
    await signers.stop()
    const code = await server.stop()

    const audit = await auditData(site.settings, signers.acknowledged)
    reportResult({
      test: `kill -9 of the server on ${name}`,
      serverKills: size.serverKills,
      ...figuresOf(signers),
      audit,
    })
    expect(audit).toEqual(noViolations)
    expect(signers.retried()).toBeGreaterThan(0)
    const answers = Object.keys(signers.outcomes()).filter((outcome) => /^\d+/.test(outcome) && outcome !== '503')
    expect(answers.sort()).toEqual(['201', '303'])
    expect(code).toBe(0)
  })
})
