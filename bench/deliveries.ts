// Signing while e-mails and rows are delivered, compared with both destinations down and with deliveries off. Then
// measures how the queue drains when the destinations are back.
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '#tests/helpers/random.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { startSheetsServer } from '#tests/helpers/sheets-server.ts'
import { startSmtp } from '#tests/helpers/smtp.ts'
import type { BurstOutcome } from './load.ts'
import { compare, type Measure, median } from './report.ts'
import type { Stage } from './stage.ts'

const kinds = ['present', 'away', 'off'] as const
type Kind = (typeof kinds)[number]

const timeoutMs = 300_000

/** An SMTP server and a spreadsheet. */
async function startDestinations(stage: Stage) {
  const folder = temporaryFolder()
  const sheets = await startSheetsServer({ folder, random: seededRandom('destinations') })
  const smtp = await startSmtp()
  let stopSmtp = smtp.stop
  stage.atEnd(async () => {
    await stopSmtp()
    await sheets.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    sheets,
    env: {
      ...{ PUBLIC_URL: 'https://mobiliza.example.org', SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org' },
      ...sheets.env,
    },
    async goDown() {
      await stopSmtp()
      stopSmtp = async () => {}
      sheets.faults = { error: 100 }
    },
    async comeUp() {
      const restarted = await startSmtp({ port: smtp.port })
      stopSmtp = restarted.stop
      sheets.faults = {}
      return restarted
    },
  }
}

export async function benchDeliveries(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds } = stage.scale
  const [present, away] = [await startDestinations(stage), await startDestinations(stage)]
  await away.goDown()
  const load = stage.startLoad()

  async function open(kind: Kind) {
    const database = await stage.createDatabase(`deliveries_${kind}`)
    const { env } = kind === 'away' ? away : present
    const site = await stage.startSite({
      env: { DATABASE_URL: database.url, ...env, DELIVERIES: kind === 'off' ? 'off' : 'on' },
    })
    return async (): Promise<BurstOutcome> => {
      await database.empty()
      const outcome = await load.burst({ url: `${site.url}/api/peticoes`, kind: 'signatures', seconds })
      await database.check(outcome.people)
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
      name: 'Signing with the SMTP server and the spreadsheet away',
      unit: '/s',
      p99Ms: p99('away'),
      reference: 'the same with both present',
      rounds: against('away', 'present'),
      bar: { of: 'ratio', atLeast: 0.9 },
    }),
    compare({
      name: 'Signing while e-mails and rows are delivered',
      unit: '/s',
      p99Ms: p99('present'),
      reference: 'the same with nothing delivered',
      rounds: against('present', 'off'),
    }),
    ...(await drain(stage)),
  ]
}

/** Measures the delivery of all signatures that were made while both destinations were down. */
async function drain(stage: Stage): Promise<Measure[]> {
  const destinations = await startDestinations(stage)
  await destinations.goDown()
  const database = await stage.createDatabase('deliveries_drain')
  const site = await stage.startSite({
    env: { DATABASE_URL: database.url, ...destinations.env, EMAILS_PER_MINUTE: '60000' },
  })
  const load = stage.startLoad()
  const url = `${site.url}/api/peticoes`
  const { people } = await load.burst({ url, kind: 'signatures', seconds: stage.scale.seconds / 5 })
  // The site notices the failure and waits for its next attempt.
  await delay(3_000)

  const backAt = performance.now()
  const smtp = await destinations.comeUp()
  const waiting = async () =>
    (await database.client.query(`select from outbox where kind not in ('lembretes', 'planilha-conferir') limit 1`))
      .rowCount
  while ((await waiting()) && performance.now() - backAt < timeoutMs) await delay(100)
  const drained = (performance.now() - backAt) / 1_000

  const addressed = new Set(smtp.received.flatMap(({ to }) => to)).size
  const [, ...rows] = destinations.sheets.tabs.tab('juros')?.rows ?? []
  const inSheet = new Set(rows.map(([id]) => id?.text)).size
  const count = people.toLocaleString('en')
  return [
    {
      name: `${count} signatures made while both were away: e-mails and rows missing after`,
      unit: '',
      figure: people - addressed + people - inSheet,
      bar: { of: 'figure', atMost: 0 },
    },
    { name: `${count} signatures made while both were away: delivered in`, unit: 's', figure: drained },
  ]
}
