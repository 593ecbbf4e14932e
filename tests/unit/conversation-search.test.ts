import { readFileSync } from 'node:fs'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { conversationSearchVector } from '#server/db/conversation-search.ts'

test('conversations are searched by the expression of their index', () => {
  const migration = new URL('../../src/server/db/migrations/0005_conversations.sql', import.meta.url)
  const { sql } = new PgDialect().sqlToQuery(conversationSearchVector)
  expect(readFileSync(migration, 'utf8')).toContain(`USING gin (${sql});`)
})
