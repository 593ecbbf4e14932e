// Checks the port before anything is installed or created. The messages equal those of
// src/server/core/listen-address.ts.
import { createServer } from 'node:net'
import { StepFailed } from './run.mjs'

/** Ignores an invalid PORT: the server reports all invalid settings together. */
export async function checkPort() {
  const port = Number(process.env.PORT?.trim() || 3000)
  const host = process.env.HOST?.trim() || '0.0.0.0'
  if (!Number.isInteger(port) || port <= 0 || port > 65535) return
  const code = await listenError({ port, host })
  if (code === 'EADDRINUSE')
    throw new StepFailed(
      `Configuração inválida:\n  - a porta ${port} já está em uso por outro programa. Escolha outra. Exemplo: PORT=${port + 1}`,
    )
}

function listenError(address) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.code))
    server.listen({ ...address, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
