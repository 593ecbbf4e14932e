// Mixed load as fast as the server replies: clients that sign, read the counter and open the page.
import { compare, type Measure, median } from './report.ts'
import type { Stage } from './stage.ts'
import type { StreamOutcome } from './streams.ts'

const parts = ['signatures', 'counts', 'pages'] as const
type Part = (typeof parts)[number]

export async function benchMixedLoad(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds } = stage.scale
  const database = await stage.createDatabase('mixed')
  const bare = await stage.startServer('./bare-server.ts')
  const site = await stage.startSite({ env: { DATABASE_URL: database.url } })
  const load = stage.startLoad()

  async function mix(url: string, paths: Record<Part, string>): Promise<Record<Part, StreamOutcome>> {
    const [signatures, counts, pages] = await load.streams([
      { url: `${url}${paths.signatures}`, kind: 'signatures', connections: 32, seconds },
      { url: `${url}${paths.counts}`, kind: 'same', connections: 16, seconds },
      { url: `${url}${paths.pages}`, kind: 'same', encoding: 'br', connections: 16, seconds },
    ])
    if (!signatures || !counts || !pages) throw new Error('no outcome')
    const errors = [signatures, counts, pages].reduce((sum, { refused, failed }) => sum + refused + failed, 0)
    if (errors > 0) throw new Error(`${errors} requests to ${url} were not answered with success`)
    return { signatures, counts, pages }
  }

  async function mixOnSite() {
    await database.empty()
    const outcome = await mix(site.url, {
      signatures: '/api/peticoes',
      counts: '/api/peticoes/count',
      pages: '/peticao',
    })
    await database.check(outcome.signatures.accepted)
    return outcome
  }

  const playRound = async () => ({
    bare: await mix(bare.url, { signatures: '/api/peticoes', counts: '/hello', pages: '/hello' }),
    site: await mixOnSite(),
  })
  for (let round = 1; round <= 2; round++) await playRound()
  const results: Awaited<ReturnType<typeof playRound>>[] = []
  for (let round = 1; round <= rounds; round++) results.push(await playRound())

  return parts.map((part) =>
    compare({
      name: `Mixed load: ${part}`,
      unit: '/s',
      p99Ms: median(results.map(({ site }) => site[part].p99Ms)),
      reference: part === 'signatures' ? 'bare Fastify POST, mixed' : 'bare Fastify hello, mixed',
      rounds: results.map(({ site, bare }) => ({ figure: site[part].perSecond, reference: bare[part].perSecond })),
    }),
  )
}
