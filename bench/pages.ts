// The petition page from the cache and rendered anew for every request, against a greeting of a bare Fastify.
import type { Load } from './load.ts'
import { type BenchServer, sendLoad } from './processes.ts'
import { compare, type Measure } from './report.ts'

export interface PageBench {
  bare: BenchServer
  site: { url: string }
  uncached: BenchServer
  rounds: number
}

type Visits = Pick<Load, 'kind' | 'encoding'>

export async function benchPages({ bare, site, uncached, rounds }: PageBench): Promise<Measure[]> {
  const visit = async (url: string, visits: Visits) =>
    (await sendLoad({ url, ...visits, connections: 64, seconds: 2 })).perSecond
  const fromCache: Visits = { kind: 'same', encoding: 'br' }
  const rendered: Visits = { kind: 'addresses', encoding: 'identity' }

  const cachedRounds = []
  const renderedRounds = []
  for (let round = 1; round <= rounds; round++) {
    cachedRounds.push({
      reference: await visit(`${bare.url}/hello`, fromCache),
      figure: await visit(`${site.url}/peticao`, fromCache),
    })
    renderedRounds.push({
      reference: await visit(`${bare.url}/hello`, rendered),
      figure: await visit(`${uncached.url}/peticao`, rendered),
    })
  }
  const common = { unit: '/s', reference: 'bare Fastify hello' }
  return [
    compare({ name: 'Page from cache (br)', ...common, rounds: cachedRounds, bar: { of: 'ratio', atLeast: 0.6 } }),
    compare({
      name: 'Page rendered each time (uncompressed)',
      ...common,
      rounds: renderedRounds,
      bar: { of: 'ratio', atLeast: 0.07 },
    }),
  ]
}
