// Prometheus metrics of this node, without personal data.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Why a request was rejected: a full queue (`line` is the admission queue) or an exceeded limit. */
type ShedReason = 'line' | 'signatures' | 'forms' | 'address' | 'mailbox' | 'chatbot' | 'connections'

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const shed = new Counter({
    name: 'mobiliza_shed_total',
    help: 'Requests sent away with 429 or 503, and connections not taken, by reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    registry,
    requests: new Histogram({
      name: 'mobiliza_http_request_seconds',
      help: 'Answered requests: time from the last header read to the last byte handed over.',
      labelNames: ['kind', 'status'],
      buckets: seconds,
      registers,
    }),
    batchSizes: new Histogram({
      name: 'mobiliza_signature_batch_size',
      help: 'Signatures committed together.',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_000],
      registers,
    }),
    commits: new Histogram({
      name: 'mobiliza_signature_commit_seconds',
      help: 'Time to commit a batch of signatures, retries included.',
      buckets: seconds,
      registers,
    }),
    deliveries: new Counter({
      name: 'mobiliza_deliveries_total',
      help: 'E-mails and spreadsheet rows that left the queue or failed, by destination and outcome.',
      labelNames: ['destination', 'outcome'],
      registers,
    }),
    shed: (reason: ShedReason) => shed.inc({ reason }),
    /** Registers a gauge. `read` is called when the metrics are requested. */
    watch(name: string, help: string, read: () => number | Promise<number>) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
  }
}
