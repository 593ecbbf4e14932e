import { compare, type Measure, median } from './report.ts'
import type { Stage } from './stage.ts'

export async function benchCounts(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds } = stage.scale
  const database = await stage.createDatabase('counts')
  const bare = await stage.startServer('./bare-server.ts')
  const site = await stage.startSite({ env: { DATABASE_URL: database.url } })
  const load = stage.startLoad()
  const read = (url: string) => load.burst({ url, kind: 'same', seconds })

  const playRound = async () => ({
    hello: await read(`${bare.url}/hello`),
    petition: await read(`${site.url}/api/peticoes/count`),
    campaign: await read(`${site.url}/api/campaigns/fim-escala-6x1/count`),
  })
  await playRound()
  const results: Awaited<ReturnType<typeof playRound>>[] = []
  for (let round = 1; round <= rounds; round++) results.push(await playRound())

  const against = (key: 'petition' | 'campaign') => ({
    unit: '/s',
    p99Ms: median(results.map((round) => round[key].p99Ms)),
    reference: 'bare Fastify hello',
    rounds: results.map((round) => ({ figure: round[key].perSecond, reference: round.hello.perSecond })),
  })
  return [
    compare({ name: 'Count of the petition', ...against('petition'), bar: { of: 'ratio', atLeast: 0.8 } }),
    compare({ name: 'Count of a campaign', ...against('campaign') }),
  ]
}
