// The petition page from the cache and rendered for every request, compared with a short text of a bare Fastify. A page
// has many times the bytes of that text, so the cache is also compared with a bare Node server that sends the same bytes.
import type { Burst } from './load.ts'
import { compare, type Measure } from './report.ts'
import type { Stage } from './stage.ts'

type Visits = Pick<Burst, 'kind' | 'encoding'>

export async function benchPages(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds } = stage.scale
  const { url: DATABASE_URL } = await stage.createDatabase('pages')
  const bare = await stage.startServer('./bare-server.ts')
  const site = await stage.startSite({ env: { DATABASE_URL } })
  const sameBytes = await stage.startServer('./same-bytes-server.ts', { PAGE_URL: `${site.url}/peticao` })
  const uncached = await stage.startServer('./uncached-server.ts', { DATABASE_URL, LOG_LEVEL: 'error' })
  const load = stage.startLoad()
  const visit = async (url: string, visits: Visits) => (await load.burst({ url, ...visits, seconds })).perSecond
  const fromCache: Visits = { kind: 'same', encoding: 'br' }
  const rendered: Visits = { kind: 'addresses', encoding: 'identity' }

  const playRound = async () => ({
    cached: {
      reference: await visit(`${bare.url}/hello`, fromCache),
      figure: await visit(`${site.url}/peticao`, fromCache),
    },
    sameBytes: {
      reference: await visit(sameBytes.url, fromCache),
      figure: await visit(`${site.url}/peticao`, fromCache),
    },
    rendered: {
      reference: await visit(`${bare.url}/hello`, rendered),
      figure: await visit(`${uncached.url}/peticao`, rendered),
    },
  })
  // Rendering needs the longest warm-up.
  for (let round = 1; round <= 3; round++) await playRound()
  const results: Awaited<ReturnType<typeof playRound>>[] = []
  for (let round = 1; round <= rounds; round++) results.push(await playRound())

  const common = { unit: '/s', reference: 'bare Fastify hello' }
  return [
    compare({
      name: 'Page from cache (br)',
      ...common,
      rounds: results.map(({ cached }) => cached),
      bar: { of: 'ratio', atLeast: 0.6 },
    }),
    compare({
      name: 'Page from cache (br), same bytes',
      unit: '/s',
      reference: 'bare Node server',
      rounds: results.map((round) => round.sameBytes),
      bar: { of: 'ratio', atLeast: 0.85 },
    }),
    compare({
      name: 'Page rendered each time (uncompressed)',
      ...common,
      rounds: results.map((round) => round.rendered),
      bar: { of: 'ratio', atLeast: 0.07 },
    }),
  ]
}
