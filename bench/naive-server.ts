import type { AddressInfo } from 'node:net'
import express from 'express'
import pg from 'pg'
import { messages } from '#contract/messages.ts'

// Reference: the usual implementation. One transaction per signature looks the person up, inserts a row and
// increments a counter.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const app = express()
app.use(express.json())

app.post('/api/peticoes', async (request, response) => {
  const { nome, email, whatsapp, cidade, estado, redesSociais, aceitaNovidades } = request.body
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select 1 from peticoes where campanha = $1 and "canonicalEmail" = $2', [
      'juros',
      email,
    ])
    if (rows.length === 0) {
      await client.query(
        `insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "redesSociais",
          "aceitaNovidades", "versaoConsentimento")
        values (gen_random_uuid(), gen_random_uuid(), 'juros', $1, $2, $2, $3, $4, $5, $6, $7, '2026-01')`,
        [nome, email, whatsapp, cidade, estado, redesSociais, aceitaNovidades],
      )
      await client.query('update campaigns set "baseCount" = "baseCount" + 1 where slug = $1', ['juros'])
    }
    await client.query('commit')
    response.status(201).json({ success: true, message: messages.petition.signed })
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
