// Signing while a backup or a standby holds a snapshot, which makes PostgreSQL keep every row version. Alternates
// with a database without a snapshot.
import { compare, type Measure } from './report.ts'
import type { Stage } from './stage.ts'

const parts = 6

export async function benchSnapshot(stage: Stage): Promise<Measure[]> {
  const { rounds, snapshotSeconds } = stage.scale
  const databases = { held: await stage.createDatabase('held'), free: await stage.createDatabase('free') }
  const sites = {
    held: await stage.startSite({ env: { DATABASE_URL: databases.held.url } }),
    free: await stage.startSite({ env: { DATABASE_URL: databases.free.url } }),
  }
  const load = stage.startLoad()
  const seconds = snapshotSeconds / (rounds * parts * 4)
  let signed = { held: 0, free: 0 }

  async function signOn(name: 'held' | 'free'): Promise<number> {
    const burst = await load.burst({ url: `${sites[name].url}/api/peticoes`, kind: 'signatures', seconds })
    signed = { ...signed, [name]: signed[name] + burst.people }
    return burst.perSecond
  }

  for (const name of ['held', 'free', 'held', 'free'] as const) await signOn(name)
  await databases.held.client.query('begin isolation level repeatable read read only')
  await databases.held.client.query('select count(*) from peticoes')
  const results: { figure: number; reference: number }[] = []
  for (let round = 0; round < rounds * parts; round++) {
    // The remaining deliveries of a burst slow down the next one, so each database is measured in each position once.
    const [first, second] = [await signOn('held'), await signOn('free')]
    const [third, fourth] = [await signOn('free'), await signOn('held')]
    results.push({ figure: (first + fourth) / 2, reference: (second + third) / 2 })
  }
  await databases.held.client.query('rollback')
  for (const name of ['held', 'free'] as const) await databases[name].check(signed[name])

  const minutes = (part: number) =>
    `${((snapshotSeconds * part) / parts / 60).toLocaleString('en', { maximumFractionDigits: 1 })} min`
  return [1, parts].map((part) =>
    compare({
      name: `Signing, a snapshot held for ${minutes(part)}`,
      unit: '/s',
      reference: 'no snapshot',
      rounds: results.slice((part - 1) * rounds, part * rounds),
      ...(part === parts && { bar: { of: 'ratio', atLeast: 0.9 } }),
    }),
  )
}
