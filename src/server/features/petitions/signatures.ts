// Stores signatures: one statement inserts a batch, adds it to the counts and queues its deliveries.
import { httpMessages } from '#contract/messages.ts'
import type { Signature } from '#contract/petitions.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { binaryColumns, kinds } from '#server/db/binary-columns.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { wasRemovedSql } from '#server/db/removed-requests.ts'
import { startCountFolding } from '#server/db/signature-counts.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'
import { createBatcher } from '#server/features/petitions/batcher.ts'

/** The stored fields of a signature. All other input is dropped. */
export interface Row extends Omit<Signature, 'honeypot'> {
  id: string
  requestId: string
  campanha: string
  canonicalEmail: string
}

const columns = binaryColumns<Row>({
  id: kinds.uuid,
  requestId: kinds.uuid,
  campanha: kinds.text,
  nome: kinds.text,
  email: kinds.text,
  canonicalEmail: kinds.text,
  whatsapp: kinds.text,
  cidade: kinds.text,
  estado: kinds.text,
  redesSociais: kinds.text,
  aceitaNovidades: kinds.bool,
  versaoManifesto: kinds.int,
  versaoConsentimento: kinds.text,
  origem: kinds.text,
})

// Rows are inserted in a fixed order, so that two nodes cannot deadlock. A removed signature is answered like a
// repeat. Rows that were not created are queued for a later check. The signature table is not read here, because that
// would scan the whole table while it has no statistics. The queued row also makes the commit of a batch of retries
// wait for the synchronous standby, which may not have received the original signatures.
export const storeBatch = {
  text: `
with given as materialized (
  select * from (select ${columns.rows}) received where not ${wasRemovedSql('"requestId"', '"canonicalEmail"')}),
created as (
  insert into peticoes (${columns.names})
  select * from given order by campanha collate "C", "canonicalEmail" collate "C"
  on conflict (campanha, "canonicalEmail") do nothing
  returning id, campanha, estado),
counts as (
  insert into signature_count_changes (campanha, estado, hora, n)
  select campanha, estado, date_trunc('hour', now()), count(*) from created group by 1, 2),
deliveries as (
  ${enqueueSql('assinaturas', 'jsonb_agg(id)', { clauses: 'from created having count(*) > 0' })})
${enqueueSql(
  'pedidos-repetidos',
  `jsonb_agg(jsonb_build_object(
  'campanha', campanha, 'emailCanonico', "canonicalEmail", 'requestId', "requestId", 'aceitaNovidades', "aceitaNovidades"))`,
  {
    clauses: `from given where (select count(*) from created) <> (select count(*) from given)
      and id not in (select id from created) having count(*) > 0`,
  },
)}`,
  values: columns.parameters,
}

interface Signing {
  campanha: string
  signature: Signature
  /** The version of the manifesto that was signed. */
  versaoManifesto: number
  requestId: string
}

interface SignatureDeps {
  database: Database
  log: Log
  metrics: Metrics
  /** The rate limit by mailbox. */
  admitMailbox(canonicalEmail: string): boolean
  throttle: BackgroundThrottle
  /** Called after each batch, when deliveries are queued. */
  onQueued(): void
}

export type Signatures = ReturnType<typeof createSignatures>

export function createSignatures({ database, log, metrics, admitMailbox, throttle, onQueued }: SignatureDeps) {
  const countFolding = startCountFolding(database, log)

  async function store(batch: Row[]): Promise<void> {
    const { text, values } = storeBatch
    await database.query('store-signatures', text, values(batch))
  }

  const batcher = createBatcher<Row>({
    commit: (batch) => throttle.trackCommit(batch.length, () => store(batch)),
    isTransient,
    onCommit(size, seconds) {
      metrics.batchSizes.observe(size)
      metrics.commits.observe(seconds)
      countFolding.soon()
      onQueued()
    },
    onFull: () => metrics.shed('signatures'),
  })
  metrics.watch('mobiliza_signatures_waiting', 'Signatures that wait for a batch.', () => batcher.waiting())

  return {
    /** Resolves after the commit. A repeat resolves the same way, so that it does not reveal an earlier signature. */
    record({ campanha, signature, versaoManifesto, requestId }: Signing): Promise<void> {
      const { nome, email, whatsapp, cidade, estado, redesSociais, aceitaNovidades, versaoConsentimento, origem } =
        signature
      const canonicalEmail = canonicalizeEmail(email)
      if (!admitMailbox(canonicalEmail)) {
        metrics.shed('mailbox')
        return Promise.reject(new AppError('too-many', httpMessages.tooMany))
      }
      const id = uuidV7()
      // Listed one by one: spreading objects costs more than validating them.
      return batcher.add({
        id,
        requestId,
        campanha,
        versaoManifesto,
        nome,
        email,
        canonicalEmail,
        whatsapp,
        cidade,
        estado,
        redesSociais,
        aceitaNovidades,
        versaoConsentimento,
        origem,
      })
    },
    /** Whether this request has stored a signature. Resolves once a synchronous standby has it too. */
    async isStored({ campanha, email, requestId }: Pick<Row, 'campanha' | 'email' | 'requestId'>): Promise<boolean> {
      // The signature may be on the primary alone. A row lock is written to the write-ahead log, so the commit waits for
      // the standby. A standby that is not promoted yet, and may not show the signature, refuses the statement.
      const rows = await database.query(
        'find-signature',
        'select from peticoes where campanha = $1 and "canonicalEmail" = $2 and "requestId" = $3 for key share',
        [campanha, canonicalizeEmail(email), requestId],
      )
      return rows.length > 0
    },
    async close(): Promise<void> {
      await batcher.close()
      await countFolding.close()
    },
  }
}
