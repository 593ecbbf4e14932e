// Ten times more people than the site can take: who is let in, how the others are turned away, and how long it lasts.

import { compare, type Measure } from './report.ts'
import { forgetMostMemory, memoryOf } from './resources.ts'
import type { Stage } from './stage.ts'

const excess = 10
// Each of them waits for an answer; who comes while all wait does not even reach the server, and is told apart.
const connections = 6_400
const recoverySeconds = 8

export async function benchOverload(stage: Stage): Promise<Measure[]> {
  const { seconds, overloadSeconds } = stage.pace
  const books = await stage.createDatabase('overload')
  const site = await stage.startSite({ env: { DATABASE_URL: books.url } })
  const load = stage.startLoad()
  const url = `${site.url}/api/peticoes`
  const asMuchAsItCan = async () => {
    const [outcome] = await load.streams([{ url, kind: 'signatures', connections: 64, seconds: 2 * seconds }])
    return outcome?.perSecond ?? Number.NaN
  }
  await asMuchAsItCan()
  const before = await asMuchAsItCan()
  await books.empty()
  forgetMostMemory(site.pid)
  const memoryBefore = memoryOf(site.pid)

  const [crowd, afterwards] = await load.streams([
    {
      ...{ url, kind: 'signatures', connections, whenBusy: 'leave' },
      ...{ perSecond: Math.round(excess * before), seconds: overloadSeconds },
    },
    { url, kind: 'signatures', connections: 64, perSecond: 200, after: overloadSeconds, seconds: recoverySeconds },
  ])
  if (!crowd || !afterwards) throw new Error('no outcome')
  const memoryAfter = memoryOf(site.pid)
  await books.check(crowd.accepted + afterwards.accepted, crowd.failed + afterwards.failed)

  const name = `Overload, ${excess} × what it takes, ${overloadSeconds} s`
  const perSecond = (count: number) => count / overloadSeconds
  return [
    compare({
      name: `${name}: accepted`,
      unit: '/s',
      p99Ms: crowd.p99Ms,
      reference: '64 connections before',
      rounds: [{ figure: crowd.perSecond, reference: before }],
    }),
    { name: `${name}: p99 of who was accepted`, unit: 'ms', figure: crowd.p99Ms, bar: { of: 'figure', atMost: 1_000 } },
    {
      name: `${name}: refused with 503 and Retry-After`,
      unit: '/s',
      figure: perSecond(crowd.refused),
      p99Ms: crowd.refusedP99Ms,
    },
    {
      name: `${name}: p99 of who was refused`,
      unit: 'ms',
      figure: crowd.refusedP99Ms,
      bar: { of: 'figure', atMost: 1_000 },
    },
    {
      name: `${name}: neither accepted nor refused so`,
      unit: '',
      figure: crowd.failed,
      bar: { of: 'figure', atMost: 0 },
    },
    {
      name: `${name}: came while all ${connections.toLocaleString('en')} connections waited, not sent`,
      unit: '/s',
      figure: perSecond(crowd.left),
    },
    compare({
      name: `${name}: most memory of the server`,
      unit: 'MB',
      reference: 'before',
      rounds: [{ figure: memoryAfter.mostMegabytes, reference: memoryBefore.megabytes }],
    }),
    compare({
      name: `${name}: memory ${recoverySeconds} s after`,
      unit: 'MB',
      reference: 'before',
      rounds: [{ figure: memoryAfter.megabytes, reference: memoryBefore.megabytes }],
    }),
    {
      name: `${name}: normal again after`,
      unit: 's',
      figure: afterwards.lastTrouble,
      bar: { of: 'figure', atMost: 5 },
    },
  ]
}
