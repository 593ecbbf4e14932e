// Reference: Node's own HTTP server, which answers every request with the headers and bytes of one page.
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const page = await new Promise<IncomingMessage>((resolve, reject) => {
  get(String(process.env.PAGE_URL), { headers: { 'Accept-Encoding': 'br' } }, resolve).on('error', reject)
})
const body = await buffer(page)
const ofConnection = ['date', 'connection', 'keep-alive']
const headers = Object.entries(page.headers).flatMap(([name, value]) =>
  ofConnection.includes(name) ? [] : [name, String(value)],
)

const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
server.listen({ host: '127.0.0.1', port: 0 }, () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
