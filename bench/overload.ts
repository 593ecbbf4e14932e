// Overload with ten times the capacity of the site: accepted and rejected requests, their latency, and the recovery.
import { compare, type Measure } from './report.ts'
import { memoryOf, resetPeakMemory } from './resources.ts'
import type { Stage } from './stage.ts'

const excess = 10
// Each connection waits for a response. Requests that are due while all wait are not sent, and are counted apart.
const connections = 6_400
const recoverySeconds = 8

export async function benchOverload(stage: Stage): Promise<Measure[]> {
  const { seconds, overloadSeconds } = stage.scale
  const database = await stage.createDatabase('overload')
  const site = await stage.startSite({ env: { DATABASE_URL: database.url } })
  const load = stage.startLoad()
  const url = `${site.url}/api/peticoes`
  const measureCapacity = async () => {
    const [outcome] = await load.streams([{ url, kind: 'signatures', connections: 64, seconds: 2 * seconds }])
    return outcome?.perSecond ?? Number.NaN
  }
  await measureCapacity()
  const before = await measureCapacity()
  await database.empty()
  resetPeakMemory(site.pid)
  const memoryBefore = memoryOf(site.pid)

  const [overload, afterwards] = await load.streams([
    {
      ...{ url, kind: 'signatures', connections, whenBusy: 'leave' },
      ...{ perSecond: Math.round(excess * before), seconds: overloadSeconds },
    },
    { url, kind: 'signatures', connections: 64, perSecond: 200, after: overloadSeconds, seconds: recoverySeconds },
  ])
  if (!overload || !afterwards) throw new Error('no outcome')
  const memoryAfter = memoryOf(site.pid)
  await database.check(overload.accepted + afterwards.accepted, overload.failed + afterwards.failed)

  const name = `Overload, ${excess} × what it takes, ${overloadSeconds} s`
  const perSecond = (count: number) => count / overloadSeconds
  return [
    compare({
      name: `${name}: accepted`,
      unit: '/s',
      p99Ms: overload.p99Ms,
      reference: '64 connections before',
      rounds: [{ figure: overload.perSecond, reference: before }],
    }),
    {
      name: `${name}: p99 of who was accepted`,
      unit: 'ms',
      figure: overload.p99Ms,
      bar: { of: 'figure', atMost: 1_000 },
    },
    {
      name: `${name}: refused with 503 and Retry-After`,
      unit: '/s',
      figure: perSecond(overload.refused),
      p99Ms: overload.refusedP99Ms,
    },
    {
      name: `${name}: p99 of who was refused`,
      unit: 'ms',
      figure: overload.refusedP99Ms,
      bar: { of: 'figure', atMost: 1_000 },
    },
    {
      name: `${name}: neither accepted nor refused so`,
      unit: '',
      figure: overload.failed,
      bar: { of: 'figure', atMost: 0 },
    },
    {
      name: `${name}: came while all ${connections.toLocaleString('en')} connections waited, not sent`,
      unit: '/s',
      figure: perSecond(overload.left),
    },
    compare({
      name: `${name}: most memory of the server`,
      unit: 'MB',
      reference: 'before',
      rounds: [{ figure: memoryAfter.maxMegabytes, reference: memoryBefore.megabytes }],
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
