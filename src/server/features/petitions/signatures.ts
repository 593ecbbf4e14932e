// Signing: one statement stores a batch of signatures, adds them to the counts and queues their deliveries. Knows nothing of HTTP.
import { httpMessages } from '#contract/messages.ts'
import type { Signature } from '#contract/petitions.ts'
import { canonicalEmail } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import type { Limits } from '#server/core/limits.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import type { Rush } from '#server/core/rush.ts'
import { binaryColumns, kinds } from '#server/db/binary-columns.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { wasRemovedSql } from '#server/db/removed-requests.ts'
import { rowId } from '#server/db/row-id.ts'
import { startCountFolding } from '#server/db/signature-counts.ts'
import { createBatcher } from '#server/features/petitions/batcher.ts'

/** What is stored of a signature, and nothing else that came with it. */
export interface Row extends Omit<Signature, 'honeypot'> {
  id: string
  requestId: string
  campanha: string
  emailCanonico: string
}

const columns = binaryColumns<Row>({
  id: kinds.uuid,
  requestId: kinds.uuid,
  campanha: kinds.text,
  nome: kinds.text,
  email: kinds.text,
  emailCanonico: kinds.text,
  whatsapp: kinds.text,
  cidade: kinds.text,
  estado: kinds.text,
  redesSociais: kinds.text,
  aceitaNovidades: kinds.bool,
  versaoManifesto: kinds.int,
  versaoConsentimento: kinds.text,
})

// Rows are written in order, so that two nodes cannot wait for each other. What was removed is answered like a repeat.
// Rows that were not created are queued to be looked at later. Here the big table is not read: before it has statistics, that would scan it.
// That row also makes the commit of a batch of retries wait for the synchronous standby, which may not have what they retry.
export const storeBatch = {
  text: `
with given as materialized (
  select * from (select ${columns.rows}) received where not ${wasRemovedSql('"requestId"', '"emailCanonico"')}),
created as (
  insert into peticoes (${columns.names})
  select * from given order by campanha collate "C", "emailCanonico" collate "C"
  on conflict (campanha, "emailCanonico") do nothing
  returning id, campanha, estado),
counts as (
  insert into signature_count_changes (campanha, estado, hora, n)
  select campanha, estado, date_trunc('hour', now()), count(*) from created group by 1, 2),
deliveries as (
  insert into outbox (tipo, dados) select 'assinaturas', jsonb_agg(id) from created having count(*) > 0)
insert into outbox (tipo, dados)
select 'pedidos-repetidos', jsonb_agg(jsonb_build_object(
  'campanha', campanha, 'emailCanonico', "emailCanonico", 'requestId', "requestId", 'aceitaNovidades', "aceitaNovidades"))
from given where (select count(*) from created) <> (select count(*) from given) and id not in (select id from created)
having count(*) > 0`,
  values: columns.parameters,
}

export interface Signing {
  campanha: string
  signature: Signature
  /** Of the manifesto that was signed. */
  versaoManifesto: number
  requestId: string
}

export interface Signatures {
  /** Resolves once the signature is committed. A repeat resolves in the same way: who asks learns nothing about the past. */
  record(signing: Signing): Promise<void>
  close(): Promise<void>
}

export interface SignatureDeps {
  database: Database
  log: Log
  metrics: Metrics
  limits: Limits
  rush: Rush
  /** Told after each batch that deliveries wait. */
  onQueued(): void
}

export function createSignatures({ database, log, metrics, limits, rush, onQueued }: SignatureDeps): Signatures {
  const counts = startCountFolding(database, log)

  async function store(batch: Row[]): Promise<void> {
    const { text, values } = storeBatch
    await database.query('store-signatures', text, values(batch))
  }

  const batcher = createBatcher<Row>({
    commit: (batch) => rush.committing(batch.length, () => store(batch)),
    isTransient,
    onCommit(size, seconds) {
      metrics.batchSizes.observe(size)
      metrics.commits.observe(seconds)
      counts.soon()
      onQueued()
    },
    onFull: () => metrics.shed('signatures'),
  })
  metrics.watch('mobiliza_signatures_waiting', 'Signatures that wait for a batch.', () => batcher.waiting())

  return {
    record({ campanha, signature, versaoManifesto, requestId }) {
      const { nome, email, whatsapp, cidade, estado, redesSociais, aceitaNovidades, versaoConsentimento } = signature
      const emailCanonico = canonicalEmail(email)
      if (!limits.admitMailbox(emailCanonico)) {
        metrics.shed('mailbox')
        return Promise.reject(new AppError('too-many', httpMessages.tooMany))
      }
      const id = rowId()
      // Named one by one: putting objects together costs more than checking them.
      return batcher.add({
        id,
        requestId,
        campanha,
        versaoManifesto,
        nome,
        email,
        emailCanonico,
        whatsapp,
        cidade,
        estado,
        redesSociais,
        aceitaNovidades,
        versaoConsentimento,
      })
    },
    async close() {
      await batcher.close()
      await counts.close()
    },
  }
}
