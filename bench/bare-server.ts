// Reference: Fastify without work. Parses the JSON of a signature and replies with the same text as the site.
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { messages } from '#contract/messages.ts'

const app = fastify()
app.post('/api/peticoes', async (_request, reply) => {
  reply.code(201)
  return { success: true, message: messages.petition.signed }
})
app.get('/hello', async () => 'hello')
app.get('/hello/:n', async () => 'hello')

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit())
