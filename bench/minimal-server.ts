// The minimal server that can sign: Fastify and the statement of the site for all signatures that arrived during the
// previous statement. Without validation, limits, deliveries or recovery. Its rate is the upper bound for any server
// with this row.
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import pg from 'pg'
import { messages } from '#contract/messages.ts'
import type { Signature } from '#contract/petitions.ts'
import { privacyVersion } from '#contract/privacy.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'
import { type Row, storeBatch } from '#server/features/petitions/signatures.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
let waiting: { row: Row; done(): void }[] = []
let storing = false

async function store(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    const values = storeBatch.values(batch.map(({ row }) => row))
    await pool.query({ name: 'store', text: storeBatch.text, values })
    for (const { done } of batch) done()
  }
  storing = false
}

const app = fastify()
app.post<{ Body: Signature }>('/api/peticoes', async (request, reply) => {
  const { honeypot: _, ...signature } = request.body
  const ids = { id: uuidV7(), requestId: crypto.randomUUID(), campanha: 'juros', canonicalEmail: signature.email }
  await new Promise<void>((done) => {
    waiting.push({ row: { ...ids, ...signature, versaoManifesto: 1, versaoConsentimento: privacyVersion }, done })
    if (storing) return
    storing = true
    setImmediate(store)
  })
  reply.code(201)
  return { success: true, message: messages.petition.signed }
})

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit())
