import { createServer } from 'node:net'
import { type Config, ConfigError } from '#server/core/config.ts'

type Address = Pick<Config, 'port' | 'host'>

/** Error for the operator; undefined for failures that no setting causes. */
export function listenProblem(error: unknown, { port, host }: Address): ConfigError | undefined {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new ConfigError([
        `a porta ${port} já está em uso por outro programa. Escolha outra. Exemplo: PORT=${port + 1}`,
      ])
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError([`HOST=${host} não é um endereço desta máquina. Exemplo: HOST=0.0.0.0`])
    case 'EACCES':
      return new ConfigError([`a porta ${port} precisa de permissão especial. Exemplo: PORT=3000`])
    default:
      return undefined
  }
}

/** Called before the data folder is created, so that a busy port leaves no files behind. */
export async function checkListenAddress({ port, host }: Address): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host, exclusive: true }, resolve)
    })
  } catch (error) {
    throw listenProblem(error, { port, host }) ?? error
  }
  await new Promise((resolve) => server.close(resolve))
}
