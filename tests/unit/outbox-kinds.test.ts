import { expect, test } from 'vitest'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { readConfig } from '#server/core/config.ts'
import type { Database } from '#server/db/database.ts'
import { createMailer } from '#server/outbox/email/email-handler.ts'
import { checkKinds, createHandlers } from '#server/outbox/handlers.ts'
import { createSheetSync } from '#server/outbox/sheet/sync-sheet.ts'
import { defaultSite } from '#tests/helpers/default-site.ts'

/** The handlers of a server. None of them uses the database before its first delivery. */
function theHandlers() {
  const config = readConfig({})
  const parts = { database: {} as Database, throttle: createBackgroundThrottle() }
  const spreadsheet = createSheetSync({ ...parts, settings: config })
  return createHandlers({
    ...parts,
    config,
    site: { current: async () => defaultSite },
    spreadsheet,
    mailer: createMailer(config),
  })
}

test('every outbox kind has exactly one handler', () => {
  expect(theHandlers().map(({ name }) => name)).toEqual(['email', 'novidades', 'planilha', 'planilhas-antigas'])
})

test('a kind without a handler is reported', () => {
  expect(() => checkKinds(theHandlers().slice(0, -1))).toThrow(
    'Outbox kind "planilha-remover-antiga" must have exactly one handler, but has 0',
  )
})

test('queued e-mails that no handler splits are reported', () => {
  expect(() => checkKinds(theHandlers().map(({ kinds }) => ({ kinds })))).toThrow('Outbox kind "emails"')
})

test('a kind with two handlers is reported', () => {
  expect(() => checkKinds([...theHandlers(), { kinds: ['email'] }])).toThrow(
    '"email" must have exactly one handler, but has 2',
  )
})
