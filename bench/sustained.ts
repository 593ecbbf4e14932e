// Sustained load: signatures at a fixed rate for minutes, while other clients read the counter.
import { compare, type Measure } from './report.ts'
import type { Stage } from './stage.ts'
import type { Stream } from './streams.ts'

const signatures = 3_000
const counts = 1_000

export async function benchHeldLoad(stage: Stage): Promise<Measure[]> {
  const { heldSeconds } = stage.scale
  const database = await stage.createDatabase('held')
  const bare = await stage.startServer('./bare-server.ts')
  const site = await stage.startSite({ env: { DATABASE_URL: database.url } })
  const load = stage.startLoad()

  async function hold(url: string, countPath: string, seconds: number) {
    const common = { connections: 256, seconds }
    const streams: Stream[] = [
      { url: `${url}/api/peticoes`, kind: 'signatures', perSecond: signatures, ...common },
      { url: `${url}${countPath}`, kind: 'same', perSecond: counts, ...common },
    ]
    const [signing, counting] = await load.streams(streams)
    if (!signing || !counting) throw new Error('no outcome')
    return { signing, counting }
  }

  const warmUp = Math.min(5, heldSeconds)
  await hold(bare.url, '/hello', warmUp)
  await hold(site.url, '/api/peticoes/count', warmUp)
  const reference = await hold(bare.url, '/hello', Math.min(15, heldSeconds))
  await database.empty()
  const held = await hold(site.url, '/api/peticoes/count', heldSeconds)
  await database.check(held.signing.accepted, held.signing.failed)

  const name = `Held for ${heldSeconds} s`
  const notAccepted = ({ refused, failed }: typeof held.signing) => refused + failed
  return [
    { name: `${name}: signatures accepted (${signatures.toLocaleString('en')}/s come)`, ...perSecond(held.signing) },
    { name: `${name}: counts read (${counts.toLocaleString('en')}/s come)`, ...perSecond(held.counting) },
    {
      name: `${name}: errors`,
      unit: '',
      figure: notAccepted(held.signing) + notAccepted(held.counting),
      bar: { of: 'figure', atMost: 0 },
    },
    compare({
      name: `${name}: p99 of signing`,
      unit: 'ms',
      reference: 'bare Fastify POST, same load',
      rounds: [{ figure: held.signing.p99Ms, reference: reference.signing.p99Ms }],
      bar: { of: 'figure', atMost: 300 },
    }),
    compare({
      name: `${name}: p99 of counts`,
      unit: 'ms',
      reference: 'bare Fastify hello, same load',
      rounds: [{ figure: held.counting.p99Ms, reference: reference.counting.p99Ms }],
    }),
  ]
}

const perSecond = ({ perSecond, p99Ms }: { perSecond: number; p99Ms: number }) => ({
  unit: '/s',
  figure: perSecond,
  p99Ms,
})
