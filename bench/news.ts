// Preparing the recipients of a news item: time and memory while people sign, and its effect on signing.

import { setTimeout as delay } from 'node:timers/promises'
import { defaultSegment, type SendProgress } from '#contract/admin/news.ts'
import { retry } from '#server/core/retry.ts'
import { isTransient } from '#server/db/database.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import type { BurstOutcome } from './load.ts'
import { compare, type Measure, median } from './report.ts'
import { memoryOf, resetPeakMemory } from './resources.ts'
import type { BenchDatabase, Stage } from './stage.ts'
import { storeSignatures } from './stored-signatures.ts'

const password = 'senha-do-banco-de-provas'

export async function benchNews(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds, people } = stage.scale
  const database = await stage.createDatabase('news')
  await storeSignatures(database.client, people.signatures, { canGetNews: true })
  await storeEarlierNews(database)
  const site = await stage.startSite({ env: { DATABASE_URL: database.url, ADMIN_PASSWORD: password } })
  const load = stage.startLoad()
  const news = await openNews(site.url, database)
  let signed = 0

  async function sign(duration: number): Promise<BurstOutcome> {
    const burst = await load.burst({ url: `${site.url}/api/peticoes`, kind: 'signatures', seconds: duration })
    signed += burst.people
    return burst
  }

  /** Signs until the work has ended. */
  async function signDuring<T>(work: Promise<T>): Promise<{ result: T; p99Ms: number }> {
    let isOver = false
    const ended = work.finally(() => {
      isOver = true
    })
    const bursts: BurstOutcome[] = []
    while (!isOver) bursts.push(await sign(seconds))
    return { result: await ended, p99Ms: median(bursts.map((burst) => burst.p99Ms)) }
  }

  /** The greatest memory meanwhile, above that before. */
  async function memoryOnTop(work: () => Promise<unknown>): Promise<number> {
    const before = memoryOf(site.pid).megabytes
    resetPeakMemory(site.pid)
    await work()
    return memoryOf(site.pid).maxMegabytes - before
  }

  // The bursts are longer than those of other parts, because a preparation reacts to the load after some time.
  const burstSeconds = 4 * seconds
  for (let warmUp = 0; warmUp < 3; warmUp++) await sign(burstSeconds)
  await news.clear()
  const alone = await news.timePreparation()
  await news.clear()
  const signingMemory = await memoryOnTop(() => signDuring(delay(alone * 1_000)))
  await news.clear()
  let loaded = { result: 0, p99Ms: 0 }
  const memory = await memoryOnTop(async () => {
    loaded = await signDuring(news.timePreparation())
  })

  const results: { preparing: number; without: number }[] = []
  const measures = {
    preparing: async () => (await news.prepareDuring(() => sign(burstSeconds))).perSecond,
    without: async () => (await sign(burstSeconds)).perSecond,
  }
  for (let round = 0; round < rounds; round++) {
    const result = { preparing: 0, without: 0 }
    const names = ['preparing', 'without'] as const
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await news.clear()
      result[name] = await measures[name]()
    }
    results.push(result)
  }
  await database.check(people.signatures + signed)

  const label = `${people.signatures.toLocaleString('en')} recipients`
  return [
    {
      ...{ name: `Preparing ${label} while people sign`, unit: 's', figure: loaded.result, p99Ms: loaded.p99Ms },
      reference: { name: 'nobody signs', figure: alone },
      bar: { of: 'figure', atMost: 120 },
    },
    {
      ...{ name: `Preparing ${label} while people sign: memory on top`, unit: 'MB', figure: memory },
      reference: { name: 'people sign', figure: signingMemory },
      bar: { of: 'figure', atMost: 100 },
    },
    compare({
      name: 'Signing while recipients are prepared',
      unit: '/s',
      reference: 'no preparation',
      rounds: results.map(({ preparing, without }) => ({ figure: preparing, reference: without })),
      bar: { of: 'ratio', atLeast: 0.9 },
    }),
  ]
}

/** Everybody has got an e-mail of an earlier news item, so that the state of every address must be read. */
async function storeEarlierNews({ client }: BenchDatabase): Promise<void> {
  await client.query(
    `insert into enderecos ("addressHmac", "newsSentOn", "newsSentCount")
    select ${addressHmacSql('"canonicalEmail"')}, current_date - 7, 1 from peticoes order by 1`,
  )
  await client.query('vacuum analyze enderecos')
}

async function openNews(url: string, { client }: BenchDatabase) {
  const { rows } = await client.query<{ id: string; recipients: number }>(
    `select id, (select count(*)::int from peticoes where "confirmadoEm" is not null) as recipients
    from campaigns where slug = 'juros'`,
  )
  const campaignId = Number(rows[0]?.id)
  const recipients = rows[0]?.recipients
  const headers = { 'content-type': 'application/json' }
  const ask = createClient(`${url}/api/admin`, headers)
  const { token } = await ask<{ token: string }>('/login', { username: 'admin', password })
  Object.assign(headers, { authorization: `Bearer ${token}` })

  async function startPreparation(): Promise<number> {
    const { novidade } = await ask<{ novidade: { id: number } }>('/novidades', {
      ...{ titulo: 'Novidade de exemplo', html: '<p>Uma novidade.</p>', imagem: null, naPagina: false, porEmail: true },
      ...{ segmento: { ...defaultSegment(campaignId), campanhas: [] }, campanha: campaignId },
    })
    await ask(`/novidades/${novidade.id}/contar`, {})
    return novidade.id
  }

  async function waitForPreparation(id: number, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const { envio } = await ask<{ envio: SendProgress }>(`/novidades/${id}/envio`)
      if (envio.status === 'prepared' && envio.destinatarios === recipients) return
      if (envio.status !== 'preparing') throw new Error(`${envio.status}: ${envio.destinatarios} of ${recipients}`)
      await delay(200)
    }
  }

  return {
    /** In seconds, from the request until the recipients are counted. */
    async timePreparation(): Promise<number> {
      const startedAt = performance.now()
      await waitForPreparation(await startPreparation())
      return (performance.now() - startedAt) / 1_000
    },

    /** Prepares news items, one after the other, until the work has ended. */
    async prepareDuring<T>(work: () => Promise<T>): Promise<T> {
      const ending = new AbortController()
      const first = await startPreparation()
      async function prepareMore(): Promise<void> {
        for (let id = first; ; id = await startPreparation()) {
          await waitForPreparation(id, ending.signal)
          if (ending.signal.aborted) return
        }
      }
      const [result] = await Promise.all([work().finally(() => ending.abort()), prepareMore()])
      return result
    },

    /** Ends preparations and deletes recipients and deliveries, so that neither disturbs the next measurement. */
    async clear(): Promise<void> {
      await client.query(`update news_sends set status = 'cancelled' where status = 'preparing'`)
      const truncate = () => client.query('truncate news_recipients, outbox')
      await retry(truncate, { isTransient, timeoutMs: 20_000 })
      await client.query('checkpoint')
    },
  }
}

/** Repeats requests that the loaded server refuses for a moment. */
function createClient(base: string, headers: Record<string, string>) {
  return async function ask<Reply>(path: string, body?: object): Promise<Reply> {
    for (;;) {
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const answer = await fetch(base + path, { ...init, headers })
      if (answer.ok) return (await answer.json()) as Reply
      if (answer.status !== 503) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      await delay(100)
    }
  }
}
