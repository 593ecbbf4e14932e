// What test sites are copied from: a database as the first start leaves it.
import { type Config, readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import type { Engine } from '#server/db/engine.ts'
import { startNode } from '#server/node.ts'
import { openBuild } from '#server/ssr/renderer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    source: { kind: 'embedded'; folder: string } | { kind: 'postgres'; url: string }
  }
}

export function testConfig(env: Record<string, string> = {}): Config {
  return readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'https://mobiliza.example.org',
    ADMIN_PASSWORD: 'senha-de-teste-123',
    DATA_KEY: 'Y2hhdmUgZGUgdGVzdGU6IHRyaW50YSBlIGRvaXMgYi4=',
    LOG_LEVEL: 'debug',
    ...env,
  })
}

export async function fillTemplate(config: Config, engine: Engine): Promise<void> {
  const node = await startNode({
    config,
    engine,
    log: createLog('silent'),
    renderer: await openBuild(),
    deliveries: 'off',
  })
  await node.close()
}
