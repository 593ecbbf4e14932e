import { expect, test } from 'vitest'
import { ConfigError } from '#server/core/config.ts'
import { checkVersion } from '#server/db/migrate.ts'

test('a PostgreSQL version that is too old is refused with a message', () => {
  expect(() => checkVersion(130_018)).toThrow(ConfigError)
  expect(() => checkVersion(130_018)).toThrow('é da versão 13; o Mobiliza precisa da versão 14')
  expect(() => checkVersion(140_000)).not.toThrow()
  expect(() => checkVersion(180_001)).not.toThrow()
})
