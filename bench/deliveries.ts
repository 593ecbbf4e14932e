// Signing while e-mails are sent, against the same with the SMTP server away and with nothing delivered at all.
import type { ServerSettings } from '#tests/helpers/server-process.ts'
import { startSmtp } from '#tests/helpers/smtp.ts'
import type { BurstOutcome } from './load.ts'
import { compare, type Measure, median } from './report.ts'
import type { Stage } from './stage.ts'

const kinds = ['present', 'away', 'off'] as const
type Kind = (typeof kinds)[number]

export async function benchDeliveries(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds } = stage.pace
  const present = await startSmtp()
  const away = await startSmtp()
  await away.stop()
  stage.atEnd(() => present.stop())
  const load = stage.startLoad()

  async function open(kind: Kind) {
    const books = await stage.createDatabase(`deliveries_${kind}`)
    const sending = { SMTP_URL: (kind === 'away' ? away : present).url, EMAIL_FROM: 'nao-responda@example.org' }
    const settings: ServerSettings = {
      env: { DATABASE_URL: books.url, ...sending, DELIVERIES: kind === 'off' ? 'off' : 'on' },
    }
    const site = await stage.startSite(settings)
    return async (): Promise<BurstOutcome> => {
      await books.empty()
      const outcome = await load.burst({ url: `${site.url}/api/peticoes`, kind: 'signatures', seconds })
      await books.check(outcome.people)
      return outcome
    }
  }

  const sign = { present: await open('present'), away: await open('away'), off: await open('off') }
  const playRound = async (): Promise<Record<Kind, BurstOutcome>> => ({
    present: await sign.present(),
    away: await sign.away(),
    off: await sign.off(),
  })
  for (let round = 1; round <= 2; round++) await playRound()
  const results: Record<Kind, BurstOutcome>[] = []
  for (let round = 1; round <= rounds; round++) results.push(await playRound())

  const against = (figure: Kind, reference: Kind) =>
    results.map((round) => ({ figure: round[figure].perSecond, reference: round[reference].perSecond }))
  const p99 = (kind: Kind) => median(results.map((round) => round[kind].p99Ms))
  return [
    compare({
      name: 'Signing with the SMTP server away',
      unit: '/s',
      p99Ms: p99('away'),
      reference: 'the same with it present',
      rounds: against('away', 'present'),
      bar: { of: 'ratio', atLeast: 0.9 },
    }),
    compare({
      name: 'Signing while e-mails are sent',
      unit: '/s',
      p99Ms: p99('present'),
      reference: 'the same with nothing delivered',
      rounds: against('present', 'off'),
    }),
  ]
}
