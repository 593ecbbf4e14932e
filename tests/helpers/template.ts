import { type Config, readConfig } from '#server/core/config.ts'

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
    DATA_KEY: 'CmFxtuvh606N79qTBWIEsFQ34kFNWhjJAUJ+fW8DGyc=',
    LOG_LEVEL: 'debug',
    ...env,
  })
}
